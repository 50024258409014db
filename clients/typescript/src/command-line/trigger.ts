import { setTimeout as pause } from 'node:timers/promises';
import type { paths, Schemas } from '../api-types.js';
import type { ListedEvent } from '../events.js';
import { CommandFailed } from './command-failed.js';
import { findAccountId, requireWallet, type Connection } from './connection.js';
import { printEvent, printMessageToStderr } from './terminal.js';
import { payFromWallet } from './wallet.js';

type EventsQuery = NonNullable<paths['/v1/events']['get']['parameters']['query']>;

/** Events that can be triggered, with descriptions for the help text. */
export const TRIGGERS = {
  test: 'sends a signed example to every active webhook of the account',
  processing: 'pays a payment request',
  completed: 'pays a payment request and waits until the payment is final',
  overpaid: 'pays twice the amount',
  underpaid: 'pays half the amount; the event follows after the payment window',
  deposit: 'pays a completed payment request again (event log only)',
  refund: 'refunds a completed payment request',
  settlement: 'waits until a completed payment request is settled (event log only)',
  subscription: 'creates a subscription (event log only)',
} as const;
export type Trigger = keyof typeof TRIGGERS;

const AMOUNT = '2';
const PAID: Partial<Record<Trigger, string>> = { overpaid: '4', underpaid: '1' };
const POLL_INTERVAL_MS = 500;
const MAX_POLLS = 240;

/** Triggers an event and prints it from the event log. @throws CommandFailed */
export async function trigger(
  connection: Connection,
  what: Trigger,
  account: string | undefined,
): Promise<void> {
  if (what === 'test') return test(connection, account);
  const shop = new SandboxShop(connection);
  if (what === 'subscription') return shop.offerSubscription();
  const request = await shop.createSandboxPaymentRequest();
  await shop.pay(request, PAID[what] ?? AMOUNT);
  if (what === 'underpaid') {
    return printMessageToStderr(
      `Payment request ${request.id} becomes underpaid after ${request.expires_at}.`,
    );
  }
  if (what === 'processing' || what === 'completed' || what === 'overpaid') {
    return shop.show({ payment_request_id: request.id }, ({ data }) => statusOf(data) === what);
  }
  await shop.find({ payment_request_id: request.id }, ({ data }) => statusOf(data) === 'completed');
  await shop.triggerFollowUpEvent(request, what);
}

async function test(connection: Connection, account: string | undefined): Promise<void> {
  const { client } = connection;
  const accountID = await findAccountId(connection, account);
  let tested = 0;
  const path = { accountID };
  for await (const { id, url, active } of client.list('/v1/account/{accountID}/webhook/list', { path })) {
    if (!active) continue;
    tested += 1;
    const params = { path: { accountID, webhookID: id } };
    const attempt = await client.post('/v1/account/{accountID}/webhook/{webhookID}/test', { params });
    printMessageToStderr(
      `${url}: ${attempt.status}, ${attempt.http_status ?? attempt.error ?? 'no response'}`,
    );
  }
  if (tested === 0)
    throw new CommandFailed('The account has no active webhook. Run payment-collection listen first.');
}

function statusOf(data: ListedEvent['data']): unknown {
  return 'status' in data ? data.status : undefined;
}

class SandboxShop {
  private readonly sandbox: ReturnType<typeof requireWallet>;
  private readonly asset: string;
  /** Id of the newest event when this object was created. */
  private readonly after: Promise<string | undefined>;

  constructor(private readonly connection: Connection) {
    this.sandbox = requireWallet(connection);
    this.asset = this.sandbox.networks[0]!.assets[0]!.unique_asset_id;
    this.after = this.lastEvent();
  }

  private get till() {
    return this.connection.client.pointOfSale(this.sandbox.pos_id);
  }

  async createSandboxPaymentRequest(): Promise<Schemas['PaymentRequest']> {
    await this.after;
    const body = { amount: AMOUNT, unique_asset_id: this.asset, reference_id: 'payment-collection trigger' };
    return this.till.createPaymentRequest(body);
  }

  async pay({ address, unique_asset_id }: Schemas['PaymentRequest'], amount: string): Promise<void> {
    const paid = await payFromWallet(this.sandbox, { address, uniqueAssetId: unique_asset_id, amount });
    printMessageToStderr(`The sandbox's wallet pays ${paid}.`);
  }

  /** Triggers the deposit, refund or settlement after a completed payment request. */
  async triggerFollowUpEvent(
    request: Schemas['PaymentRequest'],
    what: 'deposit' | 'refund' | 'settlement',
  ): Promise<void> {
    if (what === 'settlement') {
      return this.show({ event_type: what }, ({ data }) => statusOf(data) === 'completed');
    }
    if (what === 'deposit') await this.pay(request, AMOUNT);
    if (what === 'refund') {
      const params = { path: { paymentRequestID: request.id } };
      const body = { refund_to_address: this.sandbox.payer!.address };
      await this.connection.client.post('/v1/refunds/payment-request/{paymentRequestID}', { params, body });
    }
    await this.show({ payment_request_id: request.id, event_type: what });
  }

  async offerSubscription(): Promise<void> {
    await this.after;
    const params = { path: { posID: this.sandbox.pos_id } };
    const body = { amount: AMOUNT, unique_asset_id: this.asset, interval: 'P1M' as const };
    const { id } = await this.connection.client.post('/v1/pos/{posID}/subscription', { params, body });
    await this.show({ event_type: 'subscription' }, ({ body }) => body.includes(id));
  }

  async show(query: EventsQuery, matches?: (event: ListedEvent) => boolean): Promise<void> {
    printEvent(await this.find(query, matches));
  }

  /** Waits for a matching event newer than this object. @throws CommandFailed */
  async find(
    query: EventsQuery,
    matches: (event: ListedEvent) => boolean = () => true,
  ): Promise<ListedEvent> {
    const after = await this.after;
    for (let polls = 0; polls < MAX_POLLS; polls += 1) {
      const events = this.connection.client.events({ ...query, ...(after !== undefined && { after }) });
      for await (const event of events) if (matches(event)) return event;
      await pause(POLL_INTERVAL_MS);
    }
    throw new CommandFailed('The event did not occur within two minutes.');
  }

  private async lastEvent(): Promise<string | undefined> {
    let last: string | undefined;
    for await (const { id } of this.connection.client.events({ limit: 500 })) last = id;
    return last;
  }
}
