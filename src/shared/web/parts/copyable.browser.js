// @ts-check
// Copies the value of a `Copyable` button. Also handles buttons inserted later, which the inserting script must reveal.
(() => {
  /** @param {string | undefined} text */
  function say(text) {
    const news = document.getElementById('news');
    if (news && text) news.textContent = text;
  }

  /** @param {HTMLElement} button */
  async function copy(button) {
    const source = document.getElementById(button.dataset.copy ?? '');
    if (!source) return;
    const { done = '', selected } = button.dataset;
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(source.textContent ?? '');
      say(done);
      button.textContent = done;
      setTimeout(() => (button.textContent = label), label === done ? 0 : 2000);
    } catch {
      window.getSelection()?.selectAllChildren(source);
      say(selected);
    }
  }

  for (const button of document.querySelectorAll('button[data-copy]')) button.removeAttribute('hidden');
  document.addEventListener('click', (event) => {
    const button = /** @type {Element} */ (event.target).closest('button[data-copy]');
    if (button) copy(/** @type {HTMLElement} */ (button));
  });
})();
