// Value map: one tab stop, arrows move (mirrored in right-to-left), Home/End, Ctrl+Home/End, Enter or Space pins.
for (const map of document.querySelectorAll('[data-map]')) {
  const cells = [...map.querySelectorAll('.cell')];
  const rtl = getComputedStyle(map).direction === 'rtl';
  // One tab stop: the pinned cell, or the first.
  if (cells.every(c => c.tabIndex === 0)) { const at = Math.max(0, cells.findIndex(c => c.ariaCurrent === 'true')); cells.forEach((c, i) => { c.tabIndex = i === at ? 0 : -1; }); }
  const go = i => { for (const c of cells) c.tabIndex = -1; cells[i].tabIndex = 0; cells[i].focus(); };
  const pin = c => {
    for (const o of cells) o.setAttribute('aria-pressed', o === c);
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
