import Markup

/// The looks of the page.
///
/// Colours keep apart for all kinds of colour vision: grey, blue and orange, which also differ in lightness, and
/// lines that also differ in their dashes.
let pageStyle: HTML = """
  :root { color-scheme: light dark; --page: #fff; --ink: #17202a; --soft: #55606d; --line: #d5dae0; --box: #f5f7f9;
  --true: #66717f; --captured: #0b62a4; --visible: #c94f00; --third: #7a3e9d; --shade: #17202a33;
  --q0: #f1f3f5; --q1: #e3eefa; --q2: #c6ddf3; --q3: #9dc5ea; --q4: #6fabdf; --q5: #2b72b3; --q6: #19568f;
  --q7: #0a3765; --dark: #10202f; --light: #fff; }
  @media screen and (prefers-color-scheme: dark) { :root { --page: #12171d; --ink: #e8ecf1; --soft: #a9b4c0; --line: #36404b;
  --box: #1b222a; --true: #a3aebb; --captured: #58a9ee; --visible: #ff9040; --third: #cf9bf0; --shade: #ffffff40;
  --q0: #1e252d; --q1: #17293c; --q2: #17395a; --q3: #1b4c7c; --q4: #22629f; --q5: #62a7e6; --q6: #93c5f3;
  --q7: #cbe4fb; --dark: #e8ecf1; --light: #0b1722; } }
  * { box-sizing: border-box; }
  body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
  main { max-width: 880px; margin: 0 auto; padding: 24px 16px 48px; overflow-wrap: anywhere; }
  h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 12px; }
  h2 { font-size: 1.25rem; margin: 40px 0 4px; }
  h3 { font-size: 1rem; margin: 12px 0 0; }
  p { margin: 4px 0 12px; max-width: 72ch; }
  .lead { font-size: 1.05rem; }
  .caveat { border-left: 4px solid var(--visible); padding: 4px 12px; background: var(--box); }
  .cards { display: grid; grid-template-columns: repeat(3, 1fr); gap: 12px; margin: 20px 0; }
  .cards div { background: var(--box); border: 1px solid var(--line); border-radius: 8px; padding: 10px 12px; }
  .cards span, .cards small { display: block; color: var(--soft); font-size: .85rem; }
  .cards strong { display: block; font-size: 1.3rem; line-height: 1.3; }
  svg { display: block; width: 100%; height: auto; font-family: system-ui, sans-serif; }
  svg.narrow { display: none; }
  svg.map { max-width: 400px; } .square { max-width: 520px; }
  svg text { fill: var(--ink); font-size: 13px; }
  svg text.tick, svg text.axis { fill: var(--soft); font-size: 12px; }
  svg .grid { stroke: var(--line); stroke-width: 1; }
  svg .zero { stroke: var(--soft); stroke-width: 1; }
  svg .limit { stroke: var(--soft); stroke-width: 1.5; stroke-dasharray: 5 4; fill: none; }
  svg .span { stroke: var(--ink); stroke-width: 1.5; }
  svg .true { fill: var(--true); } svg .captured { fill: var(--captured); } svg .visible { fill: var(--visible); }
  svg .dot { fill: var(--captured); fill-opacity: .65; stroke: var(--page); stroke-width: 1; }
  svg .beyond { fill: var(--page); stroke: var(--visible); stroke-width: 2.5; }
  svg .curve { fill: none; stroke-width: 2.5; stroke-linejoin: round; }
  svg .w1, svg .arrived { stroke: var(--captured); } svg .w2 { stroke: var(--visible); stroke-dasharray: 9 4; }
  svg .w3 { stroke: var(--third); stroke-dasharray: 3 3; }
  svg .installs { stroke: var(--true); stroke-dasharray: 7 3; }
  svg .q { stroke: var(--line); stroke-width: 1; }
  svg text.n { font-size: 10px; } svg text.v { font-size: 12px; font-weight: 600; }
  svg text.n0, svg text.n1, svg text.n2, svg text.n3, svg text.n4 { fill: var(--dark); }
  svg text.n5, svg text.n6, svg text.n7 { fill: var(--light); }
  .q0 { fill: var(--q0); background: var(--q0); } .q1 { fill: var(--q1); background: var(--q1); }
  .q2 { fill: var(--q2); background: var(--q2); } .q3 { fill: var(--q3); background: var(--q3); }
  .q4 { fill: var(--q4); background: var(--q4); } .q5 { fill: var(--q5); background: var(--q5); }
  .q6 { fill: var(--q6); background: var(--q6); } .q7 { fill: var(--q7); background: var(--q7); }
  .legend { display: flex; flex-wrap: wrap; gap: 4px 16px; font-size: .85rem; color: var(--soft); max-width: none; }
  .legend i { display: inline-block; width: 14px; height: 14px; margin-right: 6px; vertical-align: -2px;
  border-radius: 3px; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .legend i.q { border: 1px solid var(--line); }
  .legend i.true { background: var(--true); } .legend i.captured { background: var(--captured); }
  .legend i.visible { background: var(--visible); }
  .legend i.w1, .legend i.arrived, .legend i.w2, .legend i.w3, .legend i.installs { height: 0; width: 24px;
  vertical-align: 4px; border-radius: 0; border-top: 3px solid var(--captured); }
  .legend i.w2 { border-top: 3px dashed var(--visible); } .legend i.w3 { border-top: 3px dotted var(--third); }
  .legend i.installs { border-top: 3px dashed var(--true); }
  .pair { display: grid; grid-template-columns: 1fr 1fr; gap: 24px; margin-bottom: 12px; }
  .pair p { font-size: .85rem; color: var(--soft); }
  code { font-family: ui-monospace, monospace; font-size: .9em; white-space: nowrap; }
  .scroll { overflow: auto; border: 1px solid var(--line); border-radius: 8px; margin: 8px 0 16px;
  background: linear-gradient(to right, var(--page) 40%, transparent) left / 40px 100% no-repeat local,
  linear-gradient(to left, var(--page) 40%, transparent) right / 40px 100% no-repeat local,
  linear-gradient(to top, var(--page) 40%, transparent) bottom / 100% 40px no-repeat local,
  linear-gradient(to right, var(--shade), transparent) left / 14px 100% no-repeat scroll,
  linear-gradient(to left, var(--shade), transparent) right / 14px 100% no-repeat scroll,
  linear-gradient(to top, var(--shade), transparent) bottom / 100% 14px no-repeat scroll; }
  .tall { max-height: min(560px, 80vh); }
  .scroll:focus-visible { outline: 3px solid var(--captured); outline-offset: 2px; }
  table { overflow-wrap: normal; border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; width: 100%; }
  caption { text-align: left; padding: 6px 10px; font-weight: 600; overflow-wrap: anywhere; }
  .hint { display: block; color: var(--soft); font-weight: 400; }
  th, td { padding: 4px 8px; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
  th:first-child { text-align: left; }
  tbody th { max-width: 200px; white-space: normal; overflow-wrap: anywhere; font-weight: 400; }
  thead th { position: sticky; top: 0; background: var(--box); font-weight: 600; white-space: normal;
  vertical-align: bottom; min-width: 56px; max-width: 160px; overflow-wrap: break-word; }
  .words { white-space: normal; text-align: left; min-width: 180px; overflow-wrap: anywhere; }
  tfoot th, tfoot td { font-weight: 600; border-top: 2px solid var(--soft); border-bottom: 0; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; font-size: .9rem; margin: 8px 0 12px; }
  dt { color: var(--soft); } dd { margin: 0; }
  .notes { font-size: .85rem; color: var(--soft); padding-left: 20px; }
  @media (max-width: 620px) { svg.wide { display: none; } svg.narrow { display: block; }
  .pair { grid-template-columns: 1fr; } .cards { grid-template-columns: 1fr 1fr; }
  dl { grid-template-columns: 1fr; } dd { margin-bottom: 6px; } h1 { font-size: 1.4rem; } }
  @media screen and (max-width: 620px) { table, caption, tbody, tfoot, tbody th, tfoot th { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tbody th, tfoot th { max-width: none; grid-column: 1 / -1; font-weight: 600; border: 0; padding: 0 0 2px; }
  tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 240px), 1fr)); gap: 1px 20px;
  padding: 8px 10px; border-top: 1px solid var(--line); }
  td, tfoot td { display: flex; justify-content: space-between; gap: 8px; border: 0; padding: 0; white-space: normal;
  overflow-wrap: break-word; }
  td::before { content: attr(data-title); color: var(--soft); font-weight: 400; text-align: left; flex: 1 1 0;
  min-width: 0; overflow-wrap: anywhere; }
  td:empty { display: none; } td.words { grid-column: 1 / -1; display: block; } td.words::before { content: none; }
  tfoot tr { border-top: 2px solid var(--soft); } }
  @media print { :root { color-scheme: light; } main { max-width: none; padding: 0; }
  body { font-size: 11pt; } svg, .cards div { break-inside: avoid; print-color-adjust: exact;
  -webkit-print-color-adjust: exact; } svg.wide { display: block; } svg.narrow { display: none; }
  h2, h3 { break-after: avoid; } .scroll { overflow: visible; max-height: none; border: 0; background: none; }
  .hint { display: none; }
  p { break-inside: avoid; } section > p, .legend { break-after: avoid; } tr { break-inside: avoid; }
  table { font-size: 6.5pt; } th, td { padding: 1px 3px; } thead th { white-space: normal; }
  tbody th { max-width: 90px; white-space: normal; overflow-wrap: anywhere; }
  thead th { position: static; } .pair { grid-template-columns: 1fr 1fr; } }
  """
