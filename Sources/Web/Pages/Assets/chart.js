// A slider under a chart reads the chart's own table: no second copy of the data, nothing that needs hovering.
for (const input of document.querySelectorAll('[data-scrub]')) {
  const fig = input.closest('figure'), rows = [...fig.querySelectorAll('.as-table tbody tr')], out = fig.querySelector('.scrub output');
  const read = c => (c.querySelector('.sr') ?? c).textContent;
  const heads = [...fig.querySelectorAll('.as-table thead th')].map(h => h.textContent);
  const show = () => {
    const cells = [...rows[+input.value].children].map(read);
    const text = cells.slice(1).map((c, i) => `${heads[i + 1]} ${c}`).join(', ');
    input.setAttribute('aria-valuetext', `${cells[0]}: ${text}`);
    out.innerHTML = ''; const b = document.createElement('b'); b.textContent = cells[0]; out.append(b, ` · ${text}`);
    for (const line of fig.querySelectorAll('.cur')) {
      const x = +line.dataset.x0 + line.dataset.step * input.value, d = line.getAttribute('d');
      line.setAttribute('d', d.replace(/^M[\d.]+/, `M${x.toFixed(1)}`)); line.removeAttribute('hidden');
    }
  };
  input.addEventListener('input', show); show(); input.closest('.scrub').hidden = false;
}
