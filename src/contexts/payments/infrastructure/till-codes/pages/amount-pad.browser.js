// @ts-check
// Handles the keys of the amount pad.
(() => {
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector('form[data-pad]'));
  const amount = /** @type {HTMLInputElement | null} */ (document.getElementById('amount'));
  const keys = /** @type {HTMLElement | null} */ (document.querySelector('.keys'));
  if (!form || !amount || !keys) return;
  keys.hidden = false;
  // Keeps the device's keyboard closed, because it would cover the keys of the page.
  amount.inputMode = 'none';

  /** @param {string} key */
  function pressKey(key) {
    if (!amount) return;
    const text = amount.value;
    if (key === '⌫') amount.value = text.slice(0, -1);
    else if (key !== '.') amount.value = text === '0' ? key : text + key;
    else amount.value = `${text || '0'}.`;
  }

  keys.addEventListener('click', (event) => {
    const key = /** @type {Element} */ (event.target).closest('[data-key]')?.getAttribute('data-key');
    if (key) pressKey(key);
  });
})();
