// @ts-check
// Copies shortened ids, prints, downloads secrets that are displayed once, and scrolls the navigation to the current page.
// Every page works without it.
(() => {
  const place = document.querySelector('.side [aria-current]');
  place?.scrollIntoView({ block: 'nearest' });
  const words = document.getElementById('news')?.dataset ?? {};
  document.querySelectorAll('code.id').forEach((id, number) => {
    id.id ||= `id-${number}`;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copies';
    button.title = words.copy ?? '';
    button.setAttribute('aria-label', `${words.copy} ${id.textContent}`);
    Object.assign(button.dataset, { copy: id.id, done: words.copied, selected: words.selected });
    (id.closest('a') ?? id).after(button);
  });
  for (const button of document.querySelectorAll('button[data-print]')) {
    button.removeAttribute('hidden');
    button.addEventListener('click', () => window.print());
  }
  for (const button of document.querySelectorAll('button[data-download]')) {
    button.removeAttribute('hidden');
    button.addEventListener('click', () => {
      const { download = '', content = '' } = /** @type {HTMLElement} */ (button).dataset;
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([content], { type: 'text/plain' }));
      link.download = download;
      link.click();
      URL.revokeObjectURL(link.href);
    });
  }
})();
