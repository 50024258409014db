import { describe, expect, it } from '@jest/globals';
import { joinedModules } from '#shared/web/script/joined-modules.js';
import { WALLET_MESSAGES, WALLET_SCRIPT_MODULES } from '../page-scripts.js';

/** Response of the wallet to a request with these parameters. */
type Answer = (params: unknown[]) => unknown;

/** Functions of the script that the tests call. */
interface Script {
  run(task: () => Promise<void>): Promise<void>;
  send(): Promise<void>;
  sign(): Promise<void>;
  look(): Promise<void>;
  screen(): { note: string; more: string[]; actions: { id: string; label: string }[] };
  now: Record<string, unknown>;
}

const text = WALLET_MESSAGES.en;
const PAYER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const TOKEN = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const HASH = `0x${'ab'.repeat(32)}`;
const DOMAIN = { name: 'USDC', version: '2', chain_id: 8453, verifying_contract: TOKEN };

/** Loads the script in a page that is ready to pay. The tests set the responses of the wallet and the service. */
function readyPage() {
  const wallet = new Map<string, Answer>([
    ['eth_accounts', () => [PAYER]],
    ['eth_chainId', () => '0x2105'],
    ['eth_getTransactionReceipt', () => null],
    ['eth_getTransactionByHash', () => null],
    ['eth_signTypedData_v4', () => '0x1234'],
  ]);
  const asked: string[] = [];
  const provider = {
    request: async ({ method, params }: { method: string; params: unknown[] }) => {
      asked.push(method);
      return wallet.get(method)!(params);
    },
  };
  const clock = { ms: 1_000_000, now: () => clock.ms, parse: Date.parse };
  const selected = {
    ...{ address: TO, symbol: 'USDC', missing_amount: '12.5' },
    signature_payment: { domain: DOMAIN, token: TOKEN, to: TO, value: '12500000' },
  };
  const session = { status: 'created', expires_at: '2026-01-31T13:48:00Z', selected };
  const service = {
    left: '14:59',
    chainId: '8453' as string | undefined,
    posted: [] as string[],
    session: { status: 200, body: { data: session } as object | undefined },
    /** Undefined if the service does not respond. */
    authorization: undefined as { status: number; body: object } | undefined,
  };
  const fetch = async (url: string, { body }: { body?: string }) => {
    const isPost = url.endsWith('/authorization');
    if (isPost) service.posted.push(body!);
    const answer = isPost ? service.authorization : service.session;
    if (answer === undefined) throw new Error('no answer');
    return { status: answer.status, json: async () => answer.body };
  };
  const stored = new Map<string, string>();
  const window = {
    browserWallets: [{ info: { rdns: 'example.wallet' }, provider }],
    localStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    },
    ...{ setTimeout: () => 0, clearTimeout: () => undefined, crypto, AbortSignal },
  };
  const element = { setAttribute: () => undefined, append: () => undefined };
  const document = {
    querySelector: (selector: string) => (selector === '[data-left]' ? { textContent: service.left } : null),
    getElementById: () => ({ dataset: { chainId: service.chainId } }),
    createElement: () => element,
  };
  const made = new Function(
    ...['document', 'window', 'navigator', 'fetch', 'Date', 'TEXTS'],
    `${joinedModules(WALLET_SCRIPT_MODULES)}\nreturn { run: runTask, send: sendPayment, sign: signPayment, look: checkPaymentProgress, screen: currentScreen, now };`,
  );
  const script = made(document, window, {}, fetch, clock, text) as Script;
  const facts = {
    ...{ chainId: 8453, chainName: 'Base', token: TOKEN, decimals: 6, symbol: 'USDC', to: TO },
    ...{ units: 12_500_000n, session: 'session', nativeSymbol: 'ETH', rpc: '', explorer: '' },
  };
  const ready = { account: PAYER, held: 20_000_000n, fee: 1n, facts, signature: selected.signature_payment };
  Object.assign(script.now, { part: {}, facts, wallet: window.browserWallets[0], ready });
  const buttons = () => script.screen().actions.map(({ label }) => label);
  const send = () => script.run(script.send);
  const sign = () => script.run(script.sign);
  return { script, wallet, asked, clock, service, buttons, send, sign };
}

describe('A wallet transaction without a block', () => {
  it('offers a second payment two minutes after the confirmation if the network does not know the first', async () => {
    const { script, wallet, clock, buttons, send } = readyPage();
    wallet.set('eth_sendTransaction', () => {
      clock.ms += 150_000;
      return HASH;
    });
    await send();
    await script.look();
    expect(script.screen()).toMatchObject({ note: text.sent, actions: [] });
    clock.ms += 121_000;

    expect(buttons()).toEqual([text.cancelled]);
    expect(script.screen().more).toContain(text.stuck);
  });

  it.each<[string, string, Answer]>([
    ['the network knows it', 'eth_getTransactionByHash', () => ({ hash: HASH })],
    ['the wallet is on another network', 'eth_chainId', () => '0x1'],
    ['the wallet does not answer', 'eth_getTransactionByHash', () => Promise.reject(new Error('no'))],
  ])('offers no second payment if %s', async (_, method, answer) => {
    const { script, wallet, clock, buttons, send } = readyPage();
    wallet.set('eth_sendTransaction', () => HASH);
    await send();
    await script.look();
    clock.ms += 121_000;
    wallet.set(method, answer);
    await script.look().catch(() => undefined);

    expect(buttons()).toEqual([]);
  });
});

describe('A wallet that fails to send', () => {
  it.each<[string, object]>([
    ['another question is open', { code: -32002 }],
    ['it is disconnected', { code: 4900 }],
    ['a fault is unknown', { code: -32603 }],
  ])('leaves open whether it has sent if %s', async (_, error) => {
    const { script, wallet, asked, send } = readyPage();
    wallet.set('eth_sendTransaction', () => Promise.reject(error));
    await send();
    await send();

    expect(script.screen()).toMatchObject({ note: text.maybe, actions: [{ label: text.startAgain }] });
    expect(asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(1);
  });

  it.each([4001, 4902])('has sent nothing if the code says that it refused: %d', async (code) => {
    const { wallet, buttons, send } = readyPage();
    wallet.set('eth_sendTransaction', () => Promise.reject({ code }));
    await send();

    expect(buttons()).toEqual([text.retry]);
  });
});

describe('A signed authorization', () => {
  const taken = (data: object) => ({ status: 202, body: { data } });
  const refused = (code: string) => ({ status: 409, body: { status: 'error', code, message: 'No.' } });

  it('is received only once the service has answered', async () => {
    const { script, service, sign } = readyPage();
    await sign();
    expect(script.screen()).toMatchObject({ note: text.handingOver, actions: [] });
    service.authorization = taken({ status: 'queued' });
    await script.look();

    expect(script.screen()).toMatchObject({ note: text.signed, actions: [] });
  });

  it('is polled until the service has seen its transfer', async () => {
    const { script, service, sign } = readyPage();
    service.authorization = taken({ status: 'sent', transaction_hash: HASH });
    await sign();
    expect(script.screen()).toMatchObject({ link: { hash: HASH } });
    service.authorization = taken({ status: 'seen', transaction_hash: HASH });
    await script.look();
    await script.look();

    expect(service.posted).toHaveLength(2);
    expect(script.screen()).toMatchObject({ note: text.signed, link: { hash: HASH } });
  });

  it('offers a retry if it fails after its hash was shown', async () => {
    const { script, service, buttons, sign } = readyPage();
    service.authorization = taken({ status: 'sent', transaction_hash: HASH });
    await sign();
    service.authorization = refused('authorization_refused');
    await script.look();

    expect(script.screen()).toMatchObject({ note: text.reverted, more: ['No.'] });
    expect(buttons()).toEqual([text.retry]);
  });

  it('offers no other payment if it conflicts with another one', async () => {
    const { script, service, sign } = readyPage();
    service.authorization = refused('state_conflict');
    await sign();

    expect(script.screen()).toMatchObject({ note: text.conflict, more: ['No.'], actions: [] });
  });

  it('is kept if the session changes after the service accepted it', async () => {
    const { script, service, sign } = readyPage();
    service.authorization = taken({ status: 'queued' });
    await sign();
    service.authorization = refused('state_conflict');
    await script.look();

    expect(script.screen()).toMatchObject({ note: text.signed, actions: [] });
  });
});

describe('The end of the payment window', () => {
  it.each<[string, string, string | undefined, string]>([
    ['is nearly over', '0:14', '8453', text.nearlyOver],
    ['has ended, so that the page shows nothing to pay', '0:00', undefined, text.changed],
  ])('stops a request to the wallet if the window %s', async (_, left, chainId, words) => {
    const { script, asked, service, send, sign } = readyPage();
    Object.assign(service, { left, chainId });
    for (const pay of [send, sign]) {
      await pay();
      expect(script.screen()).toMatchObject({ note: words });
    }

    expect(asked).toEqual(['eth_accounts', 'eth_chainId', 'eth_accounts', 'eth_chainId']);
  });
});

describe('An unnamed wallet', () => {
  it('is not blamed for an unreadable answer of the service', async () => {
    const { script, service, send } = readyPage();
    service.session.body = undefined;
    await send();

    expect(script.screen().note).toBe(text.unreachable);
  });
});
