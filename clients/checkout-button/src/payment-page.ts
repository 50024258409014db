/** One payer's page, as the attributes of a button name it. */
export interface PaymentPage {
  readonly url: string;
  /** Only messages of this origin count. */
  readonly origin: string;
  readonly session: string;
  /** A dialog where the page can be shown in a frame; else a tab. */
  readonly inDialog: boolean;
  /** Where the shop's page goes once the payment has ended; undefined leaves it where it is. */
  readonly returnTo: URL | undefined;
}

const SESSION = /^[\w-]{32}$/;
const PATH = '/checkout/';

/**
 * @param scriptUrl where the module came from: the service itself serves it as `/button.js`
 * @throws TypeError that names the attribute and its rule
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
  if (!SESSION.test(session)) throw refusal('session', 'the session_id of a checkout, or url be set instead');
  const served = scriptUrl?.endsWith('/button.js') ? scriptUrl : '';
  return { origin: addressIn('host', valueOf('host') ?? served).origin, session };
}

function addressIn(name: string, text: string, base?: string): URL {
  const address = URL.canParse(text, base) ? new URL(text, base) : undefined;
  if (address === undefined || !/^https?:$/.test(address.protocol))
    throw refusal(name, 'an address like https://pay.example');
  return address;
}

function refusal(name: string, rule: string): TypeError {
  return new TypeError(`<payment-collection-button> ${name}: must be ${rule}.`);
}
