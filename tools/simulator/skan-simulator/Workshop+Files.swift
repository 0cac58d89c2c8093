extension Workshop {
  /// Files of partners, networks and spreadsheets; `=== name` begins one.
  static let files = #"""
    === appsflyer.csv
    app_id,timestamp,skad_transaction_id,skad_version,skad_ad_network_id,skad_campaign_id,\#
    skad_conversion_value,\#
    skad_redownload,event_name,skad_did_win,skad_postback_sequence_index
    525463029,2026-11-21 12:00:00,6aafb7a5-0170-41b5-bbe4-fe71dedf1e28,4.0,example123.NET,17,12,\#
    false,,true,0
    525463029,2026-11-21 13:00:00,6aafb7a5-0170-41b5-bbe4-fe71dedf1e29,4.0,example123.NET,17,,false,,true,0
    525463029,2026-11-21 13:00:00,,,,,,,af_purchase,,
    === adjust.csv
    sep=;
    {sk_transaction_id};{sk_version};{sk_network_id};{sk_campaign_id};{sk_app_id};{sk_redownload};{sk_ts};\#
    {event_name}
    3f0c0001-0170-41b5-bbe4-fe71dedf1e01;2.0;example123.NET;17;525463029;false;1795262400;install
    3f0c0002-0170-41b5-bbe4-fe71dedf1e01;2.0;example123.NET;17;525463029;true;1795262400123;install
    3f0c0003-0170-41b5-bbe4-fe71dedf1e01;2.0;demo456789.NET;42;525463029;0;2026-11-21 10:00:00 UTC;install
    3f0c0004-0170-41b5-bbe4-fe71dedf1e01;2.0;demo456789.NET;42;525463029;0;2026-11-21;install
    3f0c0005-0170-41b5-bbe4-fe71dedf1e01;2.0;demo456789.NET;42;525463029;0;2026-11-21T10:00:00+01:00;buy
    3f0c0006-0170-41b5-bbe4-fe71dedf1e01;2.0;demo456789.NET;42;525463029;0;2026-11-21 10:00:00+0100;buy
    3f0c0007-0170-41b5-bbe4-fe71dedf1e01;2.0;demo456789.NET;42;525463029;0;2026-11-21 10:00:00+01;buy
    ;;;;;;n/a;session
    null;;;;;;;session
    === branch.ndjson
    {"body_transaction_id":"4f0c0001-0170-41b5-bbe4-fe71dedf1e01","body_version":"2.0",\#
    "body_ad_network_id":"example123.NET","body_campaign_id":17,"body_app_id":525463029,\#
    "body_redownload":false,"body_did_win":true,"came":"21/11/2026 08:15","none":null}
    {"body_transaction_id":"4f0c0002-0170-41b5-bbe4-fe71dedf1e01","body_version":"2.0",\#
    "body_ad_network_id":"example123.NET","body_campaign_id":"17","body_app_id":"525463029",\#
    "body_redownload":"false","body_did_win":"true","came":"22/11/2026 08:15"}
    {"event":"open"}
    === singular.csv
    skan_postback,postback_timestamp
    bm90aGluZw==,2026-11-21 10:00:00
    === renamed.csv
    when,txid,skad_version,skad_ad_network_id,skad_campaign_id,skad_app_id,skad_redownload,zone
    11/21/2026 08:15,5f0c0001-0170-41b5-bbe4-fe71dedf1e01,2.0,example123.NET,17,525463029,false,x
    === broken.json
    [{"body_transaction_id":"5f0c0002-0170-41b5-bbe4-fe71dedf1e01","timestamp":"2026-11-21"},5]
    === twice.csv
    sk_payload,b,b
    === few.csv
    sk_payload,b
    1
    === quote.csv
    sk_payload,b
    "1,2
    === empty.csv
    === untimed.csv
    skad_transaction_id,skad_version
    6aafb7a5-0170-41b5-bbe4-fe71dedf1e30,4.0
    === early.csv
    skad_transaction_id,timestamp
    6aafb7a5-0170-41b5-bbe4-fe71dedf1e30,46346
    === late.csv
    skad_transaction_id,timestamp
    6aafb7a5-0170-41b5-bbe4-fe71dedf1e30,2096-11-21 10:00:00
    === slashes.csv
    skad_transaction_id,timestamp
    6aafb7a5-0170-41b5-bbe4-fe71dedf1e30,21/11/2026 08:15
    === skipped.csv
    skad_transaction_id,timestamp
    6aafb7a5-0170-41b5-bbe4-fe71dedf1e30,2026-03-29 02:30:00
    === double.csv
    skad_transaction_id,timestamp
    6aafb7a5-0170-41b5-bbe4-fe71dedf1e30,2026-10-25 02:30:00
    === noposts.ndjson
    {"a":1}
    === nojson.txt
    nothing at all
    === array.json
    [{"version":"4.0","text":"a \"quoted\" ] one","came":"2026-11-20T08:15:00Z"},
     {"version":"4.0","came":1795262400,"more":[1,{"x":2}]}]
    === lines.ndjson
    {"version":"3.0",
     "came":"2026-11-20T08:15:00Z"
    }
    {"version":"3.0","came":"2026-11-20T08:15:00Z"
    {"version":"3.0","came":"2026-11-20 08:15:00"}
    === oddtime.ndjson
    {"version":"3.0","came":true}
    === spend.csv
    Day;Network;Campaign;Cost;Currency;Clicks
    21.11.2026;example123.NET;17;1234,50;EUR;12
    22.11.2026;example123.NET;17;2000,00;EUR;1
    22.11.2026;example123.NET;17;1,00;EUR;3
    === spend.json
    [{"day":{"date":"2026-11-20"},"network":"example123.NET","campaign":17,"amount":"12.5","currency":"eur",
     "app":525463029,"impressions":"1000","clicks":7.0},
     {"day":{"date":"2026-11-20"},"network":"demo456789.NET","campaign":"108","amount":3e1,"currency":"USD",
     "app":"1176027022.0","impressions":null,"clicks":""}]
    === spend.ndjson
    {"date":"2026-11-18","network":"example123.NET","campaign":"5239","amount":5.25,"currency":"EUR"}

    {"date":"2026-11-18T00:00:00Z","network":"demo456789.NET","campaign":"5242","amount":6,"currency":"EUR"}
    {"date":"2026-11-19 00:00:00","network":"demo456789.NET","campaign":"5242","amount":7,"currency":"EUR"}
    === cents.csv
    date,campaign,amount
    11/16/2026,17,1250
    11/17/2026,5239,99
    === cents.json
    {"profile":"Spend in cents","imports":"spend","records":"file","columns":{"date":"date",\#
    "campaign":"campaign",\#
    "amount":"amount"},"fixed":{"network":"example123.NET","currency":"EUR"},"amounts":"hundredths",\#
    "only":{"campaign":["17","5239"]},"key":["date","campaign"],"rounds-amounts":true,\#
    "time-format":"%m/%d/%Y"}
    === moments.json
    {"profile":"Moments","imports":"spend","records":"singer","streams":["spend"],"ends-without-state":true,\#
    "columns":{"date":"at","campaign":"campaign","amount":"amount"},\#
    "fixed":{"network":"example123.NET","currency":"EUR"},"time-zone":"Europe/Berlin"}
    === moments.ndjson
    {"type":"SCHEMA","stream":"spend","schema":{}}
    {"type":"RECORD","stream":"spend","record":{"at":"2026-11-14T23:30:00Z","campaign":"17","amount":1.5}}
    === wrongprofile.json
    {"profile":"x","imports":"spend","records":"file","streams":["x"],"columns":{"date":"date"}}
    === many.csv
    date,network,campaign,amount,currency,app,impressions,clicks
    2026-11-21,example123.NET,17,much,EUR,,,
    21.11.2026,example123.NET,17,1,EUR,,,
    2026-11-21T05:00:00Z,example123.NET,17,1,EUR,,,
    2026-11-21,example123.NET,17,-1,EUR,,,
    2026-11-21,example123.NET,17,"1,5",EUR,,,
    2026-11-21,example123.NET,17,"1,500",EUR,,,
    2026-11-21,example123.NET,17,"1,500.25",EUR,,,
    2026-11-21,example123.NET,17,12 %,EUR,,,
    2026-11-21,example123.NET,17,1.12345678,EUR,,,
    2026-11-21,example123.NET,17,1,EURO,,,
    2026-11-21,example123.NET,17,1,EUR,none,,
    2026-11-21,example123.NET,17,1,EUR,x,,
    2026-11-21,example123.NET,17,1,EUR,,"1,000",
    2026-11-21,example123.NET,17,1,EUR,,-5,
    2026-11-21,example123.NET,17,1,EUR,,5,x
    2026-11-21,example123.NET,17,1,EUR,,5,5
    2026-11-21,example123.NET,17,1,EUR,,,5
    2026-11-21,,17,1,EUR,,,
    2026-11-21,example123.NET,17,1,5,EUR,,,
    2026-11-21,example123.NET,17
    === thousands.csv
    date;network;campaign;amount;currency;clicks
    2026-11-21;n.NET;17;1 500;EUR;1.000
    2026-11-21;n.NET;17;1.500,5;EUR;1.000.000
    2026-11-21;n.NET;17;1,500;EUR;99999999999999
    === twicenamed.csv
    Date,network,campaign,amount,currency,DATE
    === objects.ndjson
    {"date":"2026-11-21","network":"n","campaign":["x"],"amount":1,"currency":"EUR"}
    5
    {"date":
    === array-cut.json
    [{"date":"2026-11-21"},
    === array-gap.json
    [{"date":"2026-11-21"},,]
    === headless.csv

    === page.csv
    Day;Ad network;Campaign name;Cost (EUR);Views
    21.11.2026;example123.NET;17;much;
    22.11.2026;example123.NET;17;1,5;10
    23.11.2026;example123.NET;"17";2;11
    24.11.2026;example123.NET;17
    32.11.2026;example123.NET;17;1;1
    === page.json
    [{"day":"2026-11-12","channel":"example123.NET","campaign_id":17,"metrics":{"spend":"much"}},
     {"day":"2026-11-13","channel":"example123.NET","campaign_id":17,"metrics":{"spend":2}}, 5]
    === page.ndjson
    {"date":"2026-11-12","currency":"CHF","quote":"EUR","rate":"much"}

    {"date":"2026-11-13","currency":"CHF","quote":"CHF","rate":1}
    === names.csv
    network,campaign,app,from,to,name,ad-set,creative,country,number
    example123.NET,17,,2020-01-01,2026-12-01,Autumn,Set A,Film,DE,9001
    example123.NET,17,,2026-12-01,,Winter,Set B,Film,AT,9002
    example123.NET,5239,525463029,2020-01-01,,Broad,Set C,Picture,DE,9003
    demo456789.NET,108,,2020-01-01,,Search,,,US,
    demo456789.NET,,,2020-01-01,,Demo Network,,,,
    ,,525463029,2020-01-01,,The Game,,,,
    === names-wrong.csv
    network,campaign,app,from,to,name
    example123.NET,12345,,2020-01-01,,Long
    example123.NET,,525463029,2020-01-01,,Both
    example123.NET,17,,2020-01-02,2020-01-01,Backwards
    example123.NET,18,,2020-01-01,,One
    example123.NET,18,,2020-01-01,,Two
    === rates.csv
    date;currency;quote;rate
    2026-11-20;USD;EUR;0,95
    2026-11-21;USD;EUR;0,9512
    === rates-wrong.csv
    date;currency;quote;rate
    2026-11-20;USD;USD;1
    2026-11-20;USD;EUR;0
    2026-11-20;USD;EUR;1e3
    2026-11-20;USD;EUR;0,951
    2026-11-21;USD;EUR;1.1
    2026-11-21;USD;EUR;1.2
    === rates.json
    {"profile":"Rates","imports":"rates","records":"file","columns":{"date":"date","currency":"currency",\#
    "rate":"rate"},"fixed":{"quote":"EUR"}}
    === installs.json
    {"profile":"Installs","imports":"installs","records":"file","columns":{"date":"date","app":"app",\#
    "installs":"installs"}}
    === proceeds.json
    {"profile":"Proceeds","imports":"proceeds","records":"file","columns":{"date":"date","app":"app",\#
    "proceeds":"proceeds","currency":"currency"}}
    === totals-profile.json
    {"profile":"Totals","imports":"totals","records":"file","columns":{"date":"date","network":"network",\#
    "installs":"installs"}}
    === names.json
    {"profile":"Names","imports":"names","records":"file","columns":{"from":"from","network":"network",\#
    "campaign":"campaign","app":"app","name":"name"},"only":{"name":["Autumn","Broad"]}}
    === workbook.csv
    PK\#u{3}\#u{4}
    === totals.json
    [{"date":"2027-01-15","network":"example123.NET","installs":120,"redownloads":4,"postbacks":150,
      "conversions-with-value":60,"revenue":"12.5","currency":"EUR"},
     {"date":"2027-01-15","network":"example123.NET","campaign":"17","installs":30},
     {"date":"2027-01-15","network":"example123.NET","campaign":"17","installs":10},
     {"date":"2027-01-15","network":"example123.NET","campaign":"Broad","installs":9},
     {"date":"2027-01-15","network":"demo456789.NET","campaign":"nobody","installs":1}]
    === totals-wrong.csv
    date,network,campaign,installs,postbacks,revenue,currency
    2027-01-15,n,1,5,5,-1,EUR
    2027-01-15,n,1,5,,,
    2027-01-15,n,1,5,4,,
    2027-01-15,n,2,5,,1,EUR
    2027-01-15,n,2,5,,1,USD
    2027-01-15,n,3,x,,,
    === installs.tsv
    date	app	installs
    2027-01-15	525463029	400
    2027-01-15	525463029	20.0
    2027-01-15	1176027022	300
    === installs-wrong.csv
    date,app,installs
    2027-01-15,525463029,-4
    2027-01-15,abc,4
    2027-01-15,525463029,1000000000000
    2027-01-15,525463029,1000000000000
    === proceeds.csv
    date,app,proceeds,currency,commission,refunds,tax
    2027-01-15,525463029,100.5,EUR,15,2.5,19
    2027-01-15,525463029,50,EUR,7.5,0,9.5
    2027-01-15,1176027022,10,USD,,,
    === proceeds-wrong.csv
    date,app,proceeds,currency,tax
    2027-01-15,525463029,1,EUR,-1
    2027-01-15,abc,1,EUR,1
    === users.ndjson
    {"user":"a","time":1791500000,"event":"install"}
    {"user":"a","time":1791503600,"event":"buy","revenue":1.5,"currency":"EUR"}
    {"user":"b","time":1798600000,"event":"install"}
    === mapping.json
    {"name":"workshop","app":525463029,"currency":"EUR","effective-from":"2020-01-01","protocol":"skan4",\#
    "fine":[{"value":0,"revenue":{"from":0,"to":1}},{"value":1,"revenue":{"from":1,"to":3}}]}
    === older.json
    {"name":"older","app":1176027022,"currency":"EUR","effective-from":"2020-01-01","protocol":"skan3",\#
    "grids":[{"first-value":0,"revenue":[0,1,2,4,8]}]}
    === accounts.csv
    user;original_transaction_id
    u1;1001
    u1;1001
    u2;1002
    === accounts-two.csv
    user,original-transaction-id
    u1,5
    u2,5
    === accounts-rounded.csv
    user,original-transaction-id
    u1,1.0E+15
    """#

  /// Messages of extractors, by the profile that reads them.
  static let streams = #"""
    === facebook.singer
    {"type":"SCHEMA","stream":"ads_insights","schema":{"properties":{}},"key_properties":["ad_id"]}
    {"type":"RECORD","stream":"ads_insights","record":{"campaign_id":"23843","adset_id":"1","ad_id":"1",\#
    "campaign_name":"Summer","clicks":5,"impressions":100,"spend":12.3,\#
    "date_start":"2026-11-01T00:00:00.000000Z"}}
    {"type":"RECORD","stream":"ads_insights","record":{"campaign_id":"23843","adset_id":"1","ad_id":"1",\#
    "campaign_name":"Summer","clicks":5,"impressions":100,"spend":13.3,\#
    "date_start":"2026-11-01T00:00:00.000000Z"}}
    {"type":"RECORD","stream":"ads_insights","record":{"campaign_id":"23843","adset_id":"1","ad_id":"2",\#
    "campaign_name":"Summer","clicks":5,"impressions":100,"spend":0.30000000000000004,\#
    "date_start":"2026-11-01"}}

    {"type":"RECORD","stream":"campaigns","record":{"id":1}}
    {"type":"STATE","value":{"bookmarks":{"x":{"date":"2026-11-02"}}}}
    === tiktok.airbyte
    {"type":"LOG","log":{"level":"INFO","message":"x"}}
    {"type":"RECORD","record":{"stream":"campaigns_reports_daily","data":{"campaign_id":3,\#
    "stat_time_day":"2026-11-01 00:00:00","metrics":{"campaign_name":"H","spend":"2.50","impressions":"4",\#
    "clicks":"1"}}}}
    {"type":"STATE","state":{"type":"STREAM",\#
    "stream":{"stream_descriptor":{"name":"campaigns_reports_daily"},\#
    "stream_state":{"d":1}}}}
    {"type":"STATE","state":{"type":"STREAM","stream":{"stream_descriptor":{"name":"ads"},\#
    "stream_state":{"d":2}}}}
    {"type":"STATE","state":{"type":"STREAM","stream":{"stream_descriptor":{"name":"ads"},\#
    "stream_state":{"d":3}}}}
    {"type":"TRACE","trace":{"type":"STREAM_STATUS","stream_status":{"stream_descriptor":\#
    {"name":"campaigns_reports_daily"},"status":"COMPLETE"}}}
    === apple.airbyte
    {"type":"RECORD","record":{"stream":"campaigns_report_daily","data":{"campaignId":5,"date":"2026-11-01",\#
    "metadata":{"campaignName":"Brand","app":{"adamId":525463029}},"granularity":[{"date":"2026-11-01",\#
    "localSpend":{"amount":"3.25","currency":"USD"},"impressions":8,"taps":2}]}}}
    {"type":"TRACE","trace":{"type":"STREAM_STATUS","stream_status":{"stream_descriptor":\#
    {"name":"campaigns_report_daily"},"status":"COMPLETE"}}}
    === applovin.airbyte
    {"type":"RECORD","record":{"stream":"advertiser_report_daily","data":{"day":"2026-11-01","campaign":"L",\#
    "platform":"ios","cost":"0.123456789","impressions":"8","clicks":"2"}}}
    {"type":"RECORD","record":{"stream":"advertiser_report_daily","data":{"day":"2026-11-01","campaign":"A",\#
    "platform":"android","cost":"9","impressions":"8","clicks":"2"}}}
    {"type":"STATE","state":{"x":1}}
    === snap.singer
    {"type":"RECORD","stream":"campaign_stats_daily","record":{"id":"c-1",\#
    "start_time":"2026-11-01T07:00:00.000000Z",\#
    "spend":89196290,"impressions":5,"swipes":1}}
    {"type":"STATE","value":{}}
    === cut.singer
    {"type":"STATE","value":{}}
    {"type":"RECORD","stream":"campaign_stats_daily","record":{"id":"c-1",\#
    "start_time":"2026-11-01T00:00:00Z",\#
    "spend":1,"impressions":5,"swipes":1}}
    === other.singer
    {"type":"RECORD","stream":"campaigns","record":{"id":1}}
    === empty.singer
    === batch.singer
    {"type":"BATCH","stream":"campaign_stats_daily","encoding":{},"manifest":["a"]}
    === norecord.singer
    {"type":"RECORD","stream":"campaign_stats_daily"}
    === plain.singer
    {"date":"2026-11-01"}
    === broken.singer
    {"type":"RECORD"
    === failed.airbyte
    {"type":"TRACE","trace":{"type":"ERROR","error":{"message":"Access denied"}}}
    === incomplete.airbyte
    {"type":"TRACE","trace":{"type":"STREAM_STATUS","stream_status":{"stream_descriptor":\#
    {"name":"campaigns_reports_daily"},"status":"INCOMPLETE"}}}
    === renamed.singer
    {"type":"RECORD","stream":"campaign_stats_daily","record":{"id":"c-1",\#
    "start_time":"2026-11-01T00:00:00Z",\#
    "cost":1,"impressions":5,"swipes":1}}
    {"type":"STATE","value":{}}
    === hollow.singer
    {"type":"RECORD","stream":"campaign_stats_daily","record":{"id":"c-1","start_time":"2026-11-01",\#
    "spend":null,"impressions":5,"swipes":1}}
    {"type":"RECORD","stream":"campaign_stats_daily","record":{"id":"c-2","start_time":"2026-11-01",\#
    "spend":"","impressions":5,"swipes":1}}
    {"type":"STATE","value":{}}
    === unfiltered.airbyte
    {"type":"RECORD","record":{"stream":"advertiser_report_daily","data":{"day":"2026-11-01","campaign":"L"}}}
    {"type":"STATE","state":{"x":1}}
    === wrong.singer
    {"type":"RECORD","stream":"campaign_stats_daily","record":{"id":"c-1",\#
    "start_time":"2026-11-01T00:00:00Z",\#
    "spend":{"a":1},"impressions":5,"swipes":1}}
    {"type":"RECORD","stream":"campaign_stats_daily","record":{"start_time":"2026-11-01T00:00:00Z","spend":1}}
    {"type":"RECORD","stream":"campaign_stats_daily","record":5}
    {"type":"STATE","value":{}}
    """#

  /// What users did: one of three pays nothing, and those of two campaigns pay the same.
  static var events: String {
    let rows = (0..<160).map { user in
      let (day, hour) = ("2026-10-\(10 + user % 20)T", 8 + user % 2)
      let campaign = user % 3 > 0 ? "c\(user % 2)" : ""
      return """
        u\(user),\(day)08:00:00Z,install,,\(campaign)
        u\(user),\(day)0\(hour):30:00Z,buy,\(user % 3),

        """
    }
    return "user,time,event,revenue,campaign\n\(rows.joined())u99,2026-12-30T08:00:00Z,install,,\n"
  }

  /// More rows of a partner than a block of facts has.
  static var claims: String {
    let rows = (0..<4200).map { number in
      let digits = "\(10_000 + number)"
      return """
        7f0c0001-0170-41b5-bbe4-fe71dedf\(digits.dropFirst()),2.0,example123.skadnetwork,\(number % 97 + 1),\
        525463029,false,\(1000 + number % 900),2026-11-\(10 + number % 9) 10:00:00

        """
    }
    return """
      sk_transaction_id,sk_version,sk_network_id,sk_campaign_id,sk_app_id,sk_redownload,sk_source_app_id,sk_ts
      \(rows.joined())
      """
  }
}
