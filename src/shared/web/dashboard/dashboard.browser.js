// @ts-check
// Downloads what a page shows once, and shows the present place in the row of places. Every page works without it.
(() => {
  const place = document.querySelector('.side nav [aria-current]');
  place?.scrollIntoView({ block: 'nearest', inline: 'center' });
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
