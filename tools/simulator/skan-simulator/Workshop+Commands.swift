extension Workshop {
  /// Commands behind their exit codes; `~` is a space in a word, and `=>` comes before what the output has.
  static let imports = #"""
    1 ingest --from appsflyer-raw FOLDER/appsflyer.csv
    0 ingest --from adjust-raw FOLDER/adjust.csv => 7
    0 ingest --from branch-raw --received-at-member came --time-format %d/%m/%Y~%H:%M --time-zone \#
    Europe/Berlin \#
    FOLDER/branch.ndjson
    1 ingest --from singular-raw FOLDER/singular.csv
    0 ingest --from appsflyer-raw --columns skad_transaction_id=txid,timestamp=when,skad_fidelity_type= \#
    --time-format month-first FOLDER/renamed.csv
    64 ingest --from appsflyer-raw --columns skad_transaction=x FOLDER/renamed.csv
    64 ingest --from appsflyer-raw --columns skad_version=x,skad_transaction_id=x FOLDER/renamed.csv
    65 ingest --from appsflyer-raw --columns skad_transaction_id=txid FOLDER/late.csv
    65 ingest --from branch-raw FOLDER/broken.json
    65 ingest --from branch-raw FOLDER/few.csv
    65 ingest --from adjust-raw FOLDER/twice.csv
    65 ingest --from adjust-raw --received-at 2026-11-20T08:00:00Z FOLDER/few.csv
    65 ingest --from adjust-raw FOLDER/quote.csv
    65 ingest --from adjust-raw FOLDER/empty.csv
    65 ingest --from branch-raw FOLDER/empty.csv
    65 ingest --from adjust-raw FOLDER/noposts.ndjson
    65 ingest --from appsflyer-raw FOLDER/untimed.csv
    65 ingest --from appsflyer-raw --received-at-member when FOLDER/untimed.csv
    1 ingest --from appsflyer-raw --received-at 2026-11-20T08:00:00Z FOLDER/untimed.csv
    65 ingest --from appsflyer-raw FOLDER/early.csv
    65 ingest --from appsflyer-raw FOLDER/late.csv
    65 ingest --from appsflyer-raw FOLDER/slashes.csv
    65 ingest --from appsflyer-raw --time-format month-first FOLDER/slashes.csv
    65 ingest --from appsflyer-raw --time-zone Europe/Berlin FOLDER/skipped.csv
    65 ingest --from appsflyer-raw --time-zone Europe/Berlin FOLDER/double.csv
    0 ingest --from adjust-raw FOLDER/claims.csv => 4200
    65 ingest FOLDER/appsflyer.csv
    65 ingest FOLDER/nojson.txt
    1 ingest --received-at-member came FOLDER/array.json => 2
    65 ingest --received-at-member came FOLDER/lines.ndjson
    1 ingest --received-at-member came --time-zone Europe/Berlin FOLDER/lines.ndjson
    65 ingest --received-at-member came FOLDER/oddtime.ndjson
    65 ingest --received-at-member when FOLDER/array.json
    1 ingest --received-at-member when --received-at 2026-11-20T08:00:00Z FOLDER/array.json
    0 mapping load FOLDER/mapping.json
    0 mapping load FOLDER/older.json
    0 names import FOLDER/names.csv
    0 names import FOLDER/names.csv
    0 names import --from FOLDER/names.json FOLDER/names.csv
    65 names import FOLDER/names-wrong.csv
    0 names list --format csv
    0 names propose
    0 names sent
    0 rates import FOLDER/rates.csv
    65 rates import FOLDER/rates-wrong.csv
    0 rates import --from FOLDER/rates.json FOLDER/rates.csv
    0 rates list
    0 totals import FOLDER/totals.json
    0 totals import --format json FOLDER/totals.json
    65 totals import FOLDER/totals-wrong.csv
    0 totals import --from FOLDER/totals-profile.json FOLDER/totals.json
    0 totals list
    0 installs import FOLDER/installs.tsv
    65 installs import FOLDER/installs-wrong.csv
    0 installs import --from FOLDER/installs.json FOLDER/installs.tsv
    0 installs list
    0 proceeds import FOLDER/proceeds.csv
    65 proceeds import FOLDER/proceeds-wrong.csv
    0 proceeds import --from FOLDER/proceeds.json FOLDER/proceeds.csv
    0 proceeds list
    0 spend import --columns date=Day,network=Network,campaign=Campaign,amount=Cost,currency=Currency \#
    --time-format day-first FOLDER/spend.csv
    0 spend import --columns date=day.date FOLDER/spend.json
    0 spend import FOLDER/spend.ndjson
    0 spend import --environment claimed --set currency=USD FOLDER/spend.ndjson
    0 spend import --from FOLDER/cents.json FOLDER/cents.csv
    0 spend import --from FOLDER/moments.json FOLDER/moments.ndjson
    65 spend import --from FOLDER/wrongprofile.json FOLDER/cents.csv
    65 spend import FOLDER/many.csv
    65 spend import FOLDER/workbook.csv
    65 spend import --from FOLDER/rates.json FOLDER/rates.csv
    65 spend import FOLDER/thousands.csv
    65 spend import FOLDER/twicenamed.csv
    65 spend import FOLDER/objects.ndjson
    65 spend import FOLDER/array-cut.json
    65 spend import FOLDER/array-gap.json
    65 spend import FOLDER/headless.csv
    65 spend import FOLDER/spend.csv
    65 spend import --columns date=Day,network=Network,campaign=Campaign,amount=Cost FOLDER/spend.csv
    64 spend import --columns datum=Day FOLDER/spend.csv
    64 spend import --columns date=Day,date=Tag FOLDER/spend.csv
    64 spend import --columns Day FOLDER/spend.csv
    64 spend import --columns amount= FOLDER/spend.csv
    64 spend import --columns date=Day,campaign=Day FOLDER/spend.csv
    64 spend import --set currency= FOLDER/spend.csv
    0 spend import --from singer:facebook --set currency=USD --state FOLDER/state.json FOLDER/facebook.singer
    0 spend import --from airbyte:tiktok --set network=n,currency=EUR --state FOLDER/state.json \#
    FOLDER/tiktok.airbyte
    0 spend import --from airbyte:apple-ads FOLDER/apple.airbyte
    0 spend import --from airbyte:applovin --set currency=USD FOLDER/applovin.airbyte
    0 spend import --from singer:snap --set network=n,currency=USD --time-zone America/Los_Angeles \#
    FOLDER/snap.singer
    65 spend import --from singer:snap --set network=n,currency=USD FOLDER/snap.singer
    65 spend import --from singer:snap --set network=n,currency=USD FOLDER/cut.singer
    65 spend import --from singer:snap --set network=n,currency=USD FOLDER/other.singer
    65 spend import --from singer:snap --set network=n,currency=USD FOLDER/empty.singer
    65 spend import --from singer:snap --set network=n,currency=USD FOLDER/batch.singer
    65 spend import --from singer:snap --set network=n,currency=USD FOLDER/norecord.singer
    65 spend import --from singer:snap --set network=n,currency=USD FOLDER/plain.singer
    65 spend import --from singer:snap --set network=n,currency=USD FOLDER/broken.singer
    65 spend import --from singer:snap --set network=n,currency=USD FOLDER/renamed.singer
    65 spend import --from singer:snap --set network=n,currency=USD FOLDER/wrong.singer
    65 spend import --from airbyte:tiktok --set network=n,currency=USD FOLDER/failed.airbyte
    65 spend import --from airbyte:tiktok --set network=n,currency=USD FOLDER/incomplete.airbyte
    0 spend list
    0 spend list --from 2026-11-18 --to 2026-11-20 --app 525463029 --network example123.NET --format csv
    0 spend list --campaign 17 --environment production --sort=-amount
    0 profile list
    0 profile show airbyte:facebook
    64 profile show airbyte:facebok
    0 users import --app 525463029 --events FOLDER/events.csv --horizon 7
    0 users import --app 1176027022 --events FOLDER/events.csv --horizon 7
    0 users import --app 525463029 --events FOLDER/users.ndjson
    65 users import --app 525463029 --events FOLDER/spend.csv
    65 users import --app 525463030 --events FOLDER/events.csv
    0 users import --app 525463029 --events FOLDER/events.csv --horizon 7 --accounts FOLDER/accounts.csv
    65 users import --app 525463029 --events FOLDER/events.csv --horizon 7 --accounts FOLDER/accounts-two.csv
    65 users import --app 525463029 --events FOLDER/events.csv --horizon 7 --accounts \#
    FOLDER/accounts-rounded.csv
    0 users list
    """#

  static let reports = #"""
    0 money --currency EUR
    0 money --usual
    0 report campaigns --environment claimed
    0 report campaigns --environment claimed --by publisher,campaign,day --format csv
    0 report campaigns --environment claimed --where publisher=10* --time-zone -03:00 --by day,publisher
    0 report campaigns --by day,network,version,window,outcome,interaction --where outcome=install,assist
    0 report campaigns --by week,publisher,country,marketplace,tier --time-zone Europe/Berlin --currency EUR
    0 report campaigns --by month,name,ad-set,creative,named-country --share --subtotals
    0 report campaigns --digits 2 --where campaign!=17;country=none --app 525463029,1176027022
    0 report campaigns --tree --sent-names --network example123.NET
    0 report campaigns --by network --from 2026-11-18 --to 2027-01-20 --compare previous --top 3 \#
    --sort=-postbacks
    0 report campaigns --where publisher=12* --by publisher --time-zone +05:30
    0 report campaigns --table not-counted --format csv --app 525463029
    0 report campaigns --table unmatched-spend --format ndjson
    64 report campaigns --by store
    0 report estimates --horizon 7
    0 report estimates --by day
    0 report postbacks --format csv --app 525463029 --network example123.NET --from 2026-11-01
    0 report totals
    0 report organic
    0 report proceeds
    0 report causes
    0 report priors
    0 report cohorts
    0 report shortfall --by week
    0 report overlap --by campaign
    0 report patterns --by network
    0 report nulls --by day --null-is-zero example123.NET
    0 report conflicts --table networks --network example123.NET,demo456789.NET
    0 report crosscheck
    0 report events
    0 experiment compare --a example123.NET --b demo456789.NET --app 525463029
    0 digest --week 2027-01-12
    0 explain 3f0c0001-0170-41b5-bbe4-fe71dedf1e01 => claimed
    0 explain --format json 6aafb7a5-0170-41b5-bbe4-fe71dedf1e30
    1 explain 00000000-0000-0000-0000-000000000000
    1 rebuild --check => signature
    0 export --to FOLDER/export
    """#

  static let removals = #"""
    0 spend remove --from 2026-11-22 --yes
    0 users remove --all --yes
    0 names remove --all --yes
    0 totals remove --all --yes
    0 token create --reader someone
    0 token create --editor another --valid-for 90d
    0 token create --network example --hmac
    0 token create --test-inbox
    0 token list
    0 mapping list
    0 mapping history --app 525463029
    0 mapping drafts
    0 relay status
    0 relay retry all --dead-letters
    0 prune --older-than 1d
    0 backup FOLDER/backup.db
    """#
}
