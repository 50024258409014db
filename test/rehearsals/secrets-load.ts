import { decodeProtectedHeader } from 'jose';
import { ApiClient } from '../support/api-client.js';
import { keyLookupIn, verifyNaspipToken, type NaspipPublicKeys } from '#shared/naspip/naspip-token.js';

interface Shop {
  readonly posId: string;
  readonly asset: string;
}

interface Credential {
  readonly apiKey: string;
  readonly apiSecret: string;
}

interface Made {
  readonly id: string;
  readonly address: `0x${string}`;
  readonly token: string;
}

/** Payment requests begun in a second. */
export const RATE = 4;
/** One in so many is paid, and before one in so many a new access token is asked for. */
const [PAID_EVERY, EXCHANGED_EVERY] = [5, 8];
/** A wallet keeps the document of public keys for so long; the margin of a new key is longer. */
export const DOCUMENT_KEPT_MS = 10_000;

/** A shop's programs: they create, read, ask for tokens and check what payers would check, without a pause. */
export class SecretsLoad {
  readonly failures: string[] = [];
  readonly paid: string[] = [];
  readonly counts = { created: 0, read: 0, exchanged: 0, checked: 0 };
  /** How many tokens each key has signed. */
  readonly signedBy = new Map<string, number>();
  begun = 0;
  private isOn = true;
  private readonly open = new Set<Promise<void>>();
  private readonly running: Promise<void>;
  private client!: ApiClient;
  private credential!: Credential;
  private kept = { document: {} as NaspipPublicKeys, at: Number.NEGATIVE_INFINITY };

  constructor(
    private readonly url: string,
    private readonly shop: Shop,
    credential: Credential,
    private readonly pay: (address: `0x${string}`) => Promise<void>,
  ) {
    this.use(credential);
    this.running = this.run();
  }

  /** Uses the credential from now on. The access token is asked for once, and used until it expires. */
  use(credential: Credential): void {
    this.credential = credential;
    this.client = new ApiClient(this.url, credential);
  }

  /** The client with the credential of now. */
  get present(): ApiClient {
    return this.client;
  }

  /** Until what is under way has ended. */
  async settled(): Promise<void> {
    await Promise.all([...this.open]);
  }

  async stop(): Promise<void> {
    this.isOn = false;
    await this.running;
    await this.settled();
  }

  /** The kind is `token` or `naspip`. */
  signers(kind: string): string {
    const own = [...this.signedBy].filter(([name]) => name.startsWith(`${kind} `));
    return own.map(([name, count]) => `${count} by ${name.split(' ')[1]}`).join(', ');
  }

  private async run(): Promise<void> {
    while (this.isOn) {
      const one = this.one(this.begun++).catch(
        (error: Error) => void this.failures.push(`order-${this.begun}: ${error.message}`),
      );
      this.open.add(one);
      void one.then(() => this.open.delete(one));
      await new Promise((resolve) => setTimeout(resolve, 1_000 / RATE));
    }
  }

  private async one(n: number): Promise<void> {
    const { client } = this;
    const path = `/v1/pos/${this.shop.posId}/payment-request`;
    const body = { amount: '12.50', unique_asset_id: this.shop.asset, reference_id: `order-${n}` };
    const made = await client.post<Made>(path, body);
    this.counts.created += 1;
    await this.check(made.token);
    const reader = n % EXCHANGED_EVERY === 0 ? await this.exchange() : client;
    await reader.get(`${path}/${made.id}`);
    this.counts.read += 1;
    if (n % PAID_EVERY !== 0) return;
    await this.pay(made.address);
    this.paid.push(made.id);
  }

  /** Two wallets check it: one has just fetched the public keys, the other some seconds ago. */
  private async check(token: string): Promise<void> {
    const fresh = await this.document();
    const now = new Date();
    verifyNaspipToken(token, keyLookupIn(this.kept.document), now);
    this.note('naspip', verifyNaspipToken(token, keyLookupIn(fresh), now).keyId);
    this.counts.checked += 1;
  }

  private async document(): Promise<NaspipPublicKeys> {
    const answer = await fetch(`${this.url}/.well-known/naspip-keys`);
    if (!answer.ok) throw new Error(`The public keys were answered with ${answer.status}.`);
    const document = (await answer.json()) as NaspipPublicKeys;
    if (performance.now() - this.kept.at > DOCUMENT_KEPT_MS) this.kept = { document, at: performance.now() };
    return document;
  }

  private async exchange(): Promise<{ get(path: string): Promise<unknown> }> {
    const { apiKey, apiSecret } = this.credential;
    const answer = await fetch(`${this.url}/v1/auth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: apiKey, api_secret: apiSecret }),
    });
    if (!answer.ok) throw new Error(`A token exchange was answered with ${answer.status}.`);
    const { data } = (await answer.json()) as { data: { token: string } };
    this.counts.exchanged += 1;
    this.note('token', String(decodeProtectedHeader(data.token).kid));
    // Used once, wherever the proxy leads it.
    const headers = { authorization: `Bearer ${data.token}`, 'x-service-api-key': apiKey };
    return {
      get: async (path) => {
        const read = await fetch(this.url + path, { headers });
        if (!read.ok) throw new Error(`A read with a new token was answered with ${read.status}.`);
      },
    };
  }

  private note(kind: string, id: string): void {
    const name = `${kind} ${id}`;
    this.signedBy.set(name, (this.signedBy.get(name) ?? 0) + 1);
  }
}
