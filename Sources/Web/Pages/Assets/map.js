// Value map: one tab stop, arrows move (mirrored in right-to-left), Home/End, Ctrl+Home/End, Enter or Space pins.
for (const map of document.querySelectorAll('[data-map]')) {
  const cells = [...map.querySelectorAll('.cell')], detail = document.querySelector('#detail');
  const rtl = getComputedStyle(map).direction === 'rtl';
  const table = [...(map.closest('.panel')?.querySelectorAll('.as-table tbody tr') ?? [])];
  // One tab stop: the pinned cell, or the first.
  if (cells.every(c => c.tabIndex === 0)) { const at = Math.max(0, cells.findIndex(c => c.ariaCurrent === 'true')); cells.forEach((c, i) => { c.tabIndex = i === at ? 0 : -1; }); }
  const go = i => { for (const c of cells) c.tabIndex = -1; cells[i].tabIndex = 0; cells[i].focus(); };
  const pin = c => {
    for (const o of cells) o.setAttribute('aria-pressed', o === c);
    const row = table[+c.dataset.v]?.children;
    if (row && detail) {
      const t = i => row[i].textContent, set = (f, s) => { const e = detail.querySelector(`[data-f="${f}"]`); if (e) e.textContent = s; };
      set('v', t(0)); set('t', t(1)); set('k', t(2)); set('p', t(3)); set('x', t(4)); set('w', `${t(5)} USD in all, mid`);
      const seen = parseFloat(t(3)), want = parseFloat(t(4)), p = seen / 100;
      const all = table.reduce((s, r) => s + +r.children[2].textContent.replace(/,/g, ''), 0), z = 1.645, d = 1 + z * z / all; // Wilson, 90 %
      const c = (p + z * z / 2 / all) / d, half = z / d * Math.sqrt(p * (1 - p) / all + z * z / 4 / all / all);
      set('ci', `${(100 * Math.max(0, c - half)).toFixed(2)}–${(100 * (c + half)).toFixed(2)} %`);
      set('d', Number.isNaN(want) ? 'no rule has this value' : want ? `${Math.abs(seen / want * 100 - 100).toFixed(0)} % ${seen > want ? 'more' : 'less'} than expected` : 'none expected');
    }
    const url = new URL(location); url.searchParams.set('value', c.dataset.v); history.replaceState(null, '', url);
    map.dispatchEvent(new CustomEvent('pin', { detail: +c.dataset.v, bubbles: true }));
  };
  map.addEventListener('keydown', e => {
    const i = cells.indexOf(e.target.closest('.cell')); if (i < 0) return;
    if (e.key === ' ' && cells[i].href) { e.preventDefault(); cells[i].click(); return; } // a cell that is a link
    const f = rtl ? -1 : 1, by = { ArrowRight: f, ArrowLeft: -f, ArrowDown: 8, ArrowUp: -8 }[e.key];
    let to = by === undefined ? i : i + by;
    if (by === f && i % 8 === (f > 0 ? 7 : 0)) to = i; if (by === -f && i % 8 === (f > 0 ? 0 : 7)) to = i;
    if (e.key === 'Home') to = e.ctrlKey ? 0 : i - i % 8;
    if (e.key === 'End') to = e.ctrlKey ? 63 : i - i % 8 + 7;
    if (to === i && by === undefined && !['Home', 'End'].includes(e.key)) return;
    e.preventDefault(); if (to >= 0 && to < 64) go(to);
  });
  map.addEventListener('click', e => { const c = e.target.closest('button.cell'); if (c) { go(cells.indexOf(c)); pin(c); } });
}
