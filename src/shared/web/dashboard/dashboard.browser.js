// @ts-check
// Prints and downloads what a page shows once. Every page works without it.
(() => {
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
