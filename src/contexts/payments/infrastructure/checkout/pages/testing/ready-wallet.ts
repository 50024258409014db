import { joinedModules } from '#shared/web/script/joined-modules.js';
import { WALLET_MESSAGES, WALLET_MODULES } from '../page-scripts.js';

/** Answers a request to the wallet. */
export type Answer = (params: unknown[]) => unknown;

/** The names of the script that tests use. */
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
export const HASH = `0x${'ab'.repeat(32)}`;
const DOMAIN = { name: 'USDC', version: '2', chain_id: 8453, verifying_contract: TOKEN };

/** The script in a page that is ready to pay, with a wallet and a service that answer as a case says. */
export function readyPage() {
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
    /** Undefined: no answer comes. */
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
    `${joinedModules(WALLET_MODULES)}\nreturn { run, send, sign, look, screen, now };`,
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
