// @ts-check
// Passkeys: requests a challenge from the service, signs it, and posts the answer with the button's form.
(() => {
  if (!window.PublicKeyCredential?.parseRequestOptionsFromJSON) return;

  /** @param {unknown} error */
  function sayUnused(error) {
    const news = document.getElementById('news');
    if (!news) return;
    news.className = 'alert';
    news.textContent = `${news.dataset.unused} ${error instanceof Error ? error.message : String(error)}`;
  }

  /** @param {string} path */
  async function options(path) {
    const answer = await fetch(path, { method: 'POST' });
    if (answer.redirected || !answer.ok) throw new Error('There is no passkey to ask for.');
    return answer.json();
  }

  const ceremonies = {
    async prove() {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
        await options('/app/second-factor/challenge'),
      );
      return navigator.credentials.get({ publicKey });
    },
    async enrol() {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
        await options('/app/second-factor/passkey/options'),
      );
      return navigator.credentials.create({ publicKey });
    },
  };

  /** @param {HTMLButtonElement} button */
  async function run(button) {
    const kind = /** @type {'prove' | 'enrol'} */ (button.dataset.passkey);
    const form = button.form;
    const field = form?.elements.namedItem(kind === 'prove' ? 'code' : 'answer');
    if (!form || !(field instanceof HTMLInputElement)) return;
    button.disabled = true;
    try {
      const credential = /** @type {PublicKeyCredential} */ (await ceremonies[kind]());
      field.value = JSON.stringify(credential.toJSON());
      form.requestSubmit();
    } catch (error) {
      button.disabled = false;
      sayUnused(error);
    }
  }

  for (const button of document.querySelectorAll('button[data-passkey]')) {
    button.removeAttribute('hidden');
    button.addEventListener('click', () => void run(/** @type {HTMLButtonElement} */ (button)));
  }
})();
