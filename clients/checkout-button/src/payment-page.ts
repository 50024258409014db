/** Payment page, as configured by the attributes of a button. */
export interface PaymentPage {
  readonly url: string;
  /** Origin of the payment page. Messages from other origins are ignored. */
  readonly origin: string;
  readonly session: string;
  /** True to open a dialog. If the page cannot be embedded, it opens in a tab. */
  readonly inDialog: boolean;
  /** URL to open after the payment page is closed; undefined to stay on the shop's page. */
  readonly returnTo: URL | undefined;
}

const SESSION = /^[\w-]{32}$/;
const PATH = '/checkout/';

/**
 * Reads and checks the attributes of a button.
 * @param scriptUrl URL of the module; the default for `host` if it ends in `/button.js`
 * @throws TypeError with the name and rule of an invalid attribute
 */
export function readPage(button: Element, scriptUrl: string | undefined): PaymentPage {
  const valueOf = (name: string) => button.getAttribute(name) ?? undefined;
  const { origin, session } = placeOf(valueOf, scriptUrl);
  const mode = valueOf('mode') ?? 'dialog';
  if (mode !== 'dialog' && mode !== 'tab') throw refusal('mode', 'dialog or tab');
  const back = valueOf('return');
  return {
    url: origin + PATH + session,
    origin,
    session,
    inDialog: mode === 'dialog',
    returnTo: back === undefined ? undefined : addressIn('return', back, document.baseURI),
  };
}

function placeOf(valueOf: (name: string) => string | undefined, scriptUrl?: string) {
  const url = valueOf('url');
  if (url !== undefined) {
    const { origin, pathname } = addressIn('url', url);
    const session = pathname.startsWith(PATH) ? pathname.slice(PATH.length) : '';
    if (SESSION.test(session)) return { origin, session };
    throw refusal('url', 'the hosted_checkout_url of a checkout');
  }
  const session = valueOf('session') ?? '';
  if (!SESSION.test(session)) throw refusal('session', 'the session_id of a checkout (or set url instead)');
  const served = scriptUrl?.endsWith('/button.js') ? scriptUrl : '';
  return { origin: addressIn('host', valueOf('host') ?? served).origin, session };
}

function addressIn(name: string, text: string, base?: string): URL {
  const address = URL.canParse(text, base) ? new URL(text, base) : undefined;
  if (address === undefined || !/^https?:$/.test(address.protocol))
    throw refusal(name, 'a URL such as https://pay.example');
  return address;
}

function refusal(name: string, rule: string): TypeError {
  return new TypeError(`<payment-collection-button> ${name}: must be ${rule}.`);
}
