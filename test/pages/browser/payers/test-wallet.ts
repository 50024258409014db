import type { BrowserContext, Page } from 'playwright-core';
import { sandboxNetwork, sandboxPayer } from '#sandbox/chain/sandbox-chain.js';
import { WalletRequests, type WalletAnswer } from '#sandbox/payer/wallet-requests.js';

export interface WalletRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Answers in the wallet's place; undefined leaves it to the wallet. */
export type Behaviour = (request: WalletRequest) => Promise<WalletAnswer> | WalletAnswer | undefined;

export const refuses = (code: number, message = 'The test refuses.'): WalletAnswer => ({
  error: { code, message },
});
export const silence = (): Promise<WalletAnswer> => new Promise(() => undefined);

export const TEST_WALLET = 'Harbour Wallet';
let wallets = 0;

/**
 * A wallet in a page (EIP-6963, EIP-1193), backed by the test's chain node, which signs and sends for the sandbox's payer. It
 * misbehaves where a test says how.
 */
export class TestWallet {
  readonly account = sandboxPayer.address;
  readonly asked: WalletRequest[] = [];
  private readonly honest: WalletRequests;
  private readonly behaviours = new Map<string, Behaviour>();
  private readonly id = `testWallet${++wallets}`;

  constructor(chainUrl: string) {
    this.honest = new WalletRequests(sandboxNetwork(chainUrl), sandboxPayer);
  }

  /** The pages that the visit opens from now on have it. @param info besides its own, as it announces itself */
  async install(context: BrowserContext, info: object = {}): Promise<this> {
    const announced = { name: TEST_WALLET, rdns: `example.harbour.${this.id}`, uuid: this.id, ...info };
    await context.exposeFunction(this.id, (request: WalletRequest) => this.answer(request));
    await context.addInitScript(announce, { id: this.id, info: announced });
    return this;
  }

  /** The wallet answers so from now on. @param behaviour undefined ends it */
  on(method: string, behaviour: Behaviour | undefined): void {
    if (behaviour === undefined) this.behaviours.delete(method);
    else this.behaviours.set(method, behaviour);
  }

  times(method: string): number {
    return this.asked.filter((request) => request.method === method).length;
  }

  async emit(page: Page, event: string, value: unknown): Promise<void> {
    await page.evaluate(
      ({ id, event, value }) => {
        const provider = (window as unknown as Record<string, { emit(event: string, value: unknown): void }>)[
          `${id}Provider`
        ];
        provider!.emit(event, value);
      },
      { id: this.id, event, value },
    );
  }

  private async answer(request: WalletRequest): Promise<WalletAnswer> {
    this.asked.push(request);
    const own = this.behaviours.get(request.method)?.(request);
    return own ?? this.honest.answer(request.method, request.params);
  }
}

function announce({ id, info }: { id: string; info: object }): void {
  const page = window as unknown as Record<string, unknown>;
  const listeners: Record<string, ((value: unknown) => void)[]> = {};
  const ask = (request: object) =>
    (page[id] as (request: object) => Promise<{ result?: unknown; error?: object }>)(request);
  const provider = {
    async request({ method, params = [] }: { method: string; params?: unknown[] }) {
      const { result, error } = await ask({ method, params });
      if (error) throw Object.assign(new Error(), error);
      return result;
    },
    on: (event: string, listener: (value: unknown) => void) => (listeners[event] ??= []).push(listener),
    emit: (event: string, value: unknown) => (listeners[event] ?? []).forEach((listener) => listener(value)),
  };
  page[`${id}Provider`] = provider;
  const tell = () => {
    const detail = Object.freeze({ info: Object.freeze(info), provider });
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  };
  window.addEventListener('eip6963:requestProvider', tell);
  tell();
}
