import type { OperatorSession } from '#app/operator/operator-session.js';
import { parseAmount } from '#shared/kernel/amount.js';
import { keysOf, verify, type NaspipPublicKeys } from '#shared/naspip/naspip-token.js';
import { ApiClient } from '../api/api-client.js';
import type { AnswerOf } from '../api/api-types.js';
import { sandboxTime } from '../chain/sandbox-time.js';
import type { SandboxAsset, SandboxFile } from '../folder/sandbox-folder.js';
import { PayerWallet, tokenOf } from '../payer/payer-wallet.js';
import { check, poll, same, WITHIN_MS, type StepReporter } from './step-checks.js';

type Subscription = AnswerOf<'createSubscription'>;
type ForWallet = AnswerOf<'acceptSubscription'>;
type Charges = AnswerOf<'listSubscriptionCharges'>['data'];
type Charge = Charges[number];

/** An event's body, as a webhook would send it. */
interface EventBody {
  readonly data: { readonly subscription_id: string; readonly status: string };
}

const AMOUNT = '9.90';
const WALLET = { wallet_external_id: 'demo-wallet' };

/**
 * A monthly subscription from its offer to its end: paid, missed, recovered and revoked, with each step checked. The sandbox's
 * clock is moved forward by some three months.
 * @throws Error at the first wrong result
 */
export class SubscriptionScenario {
  private readonly api: ApiClient;
  private readonly asset: SandboxAsset;

  constructor(
    private readonly sandbox: SandboxFile,
    private readonly operator: OperatorSession,
    private readonly reporter: StepReporter,
  ) {
    this.api = new ApiClient(sandbox.api_url, { apiKey: sandbox.api_key, apiSecret: sandbox.api_secret });
    this.asset = sandbox.networks[0]!.assets[0]!;
  }

  async tell(): Promise<void> {
    const offered = await this.offer();
    const accepted = await this.accept(offered);
    await this.payCharge(offered, 'Find the first charge and pay it from the sandbox wallet');
    await this.advanceTo('Move the clock to the second due date', accepted.next_charge_at!);
    const missed = await this.miss(offered);
    await this.advance('Move the clock to the next try', '1d');
    await this.payCharge(offered, 'Pay the charge at that try');
    const { next_charge_at: next } = await this.seeStatus(offered, 'active');
    await this.revoke(offered);
    await this.advanceTo('Move the clock beyond the third due date', next!);
    await this.seeNoMore(offered, missed);
    await this.readEvents(offered);
  }

  private offer(): Promise<Subscription> {
    return this.reporter.step('Offer a subscription', async () => {
      const offered = await this.api.post<Subscription>(this.path(), {
        amount: AMOUNT,
        unique_asset_id: this.asset.unique_asset_id,
        interval: 'P1M',
        reference_id: `demo-subscription-${Date.now()}`,
      });
      same('the status', offered.status, 'pending');
      same('the next charge', offered.next_charge_at, null);
      return [`${offered.amount} ${offered.currency} a month; its page is ${offered.url}`, offered];
    });
  }

  private accept({ id }: Subscription): Promise<ForWallet> {
    return this.reporter.step('Accept it as a wallet', async () => {
      const accepted = await this.api.post<ForWallet>(`${this.walletPath(id)}/accept`, WALLET);
      same('the status', accepted.status, 'active');
      same('the wallet', accepted.wallet_external_id, WALLET.wallet_external_id);
      return [`charged at once, and then at ${accepted.next_charge_at}`, accepted];
    });
  }

  private payCharge({ id }: Subscription, title: string): Promise<Charge> {
    return this.reporter.step(title, async () => {
      const open = await this.charge(id, ({ token, payment_status }) => {
        return token !== undefined && payment_status === 'created';
      });
      await this.verifyToken(open);
      const wallet = new PayerWallet(this.sandbox.networks[0]!.rpc_url, this.sandbox.payer!);
      const token = tokenOf(this.asset.unique_asset_id);
      const hash = await wallet.send(token, open.address as `0x${string}`, this.units(open.amount));
      const paid = await this.charge(id, ({ status }) => status === 'paid');
      same('the due date', paid.due_at, open.due_at);
      same('the amount received', this.units(paid.received_amount!), this.units(AMOUNT));
      return [`due ${paid.due_at}, ${open.amount} ${open.currency} by ${hash}`, paid];
    });
  }

  /** A wallet pays what is signed, and nothing else. */
  private async verifyToken(charge: Charge): Promise<void> {
    const keys = keysOf(await this.api.raw<NaspipPublicKeys>('/.well-known/naspip-keys'));
    const now = await sandboxTime(this.sandbox.networks[0]!.rpc_url);
    const { payload } = verify(charge.token!, keys, now);
    check('payment' in payload, 'the token should carry a payment');
    const { payment } = payload as Extract<typeof payload, { payment: unknown }>;
    same('the address in the token', payment.address, charge.address);
    same('the amount in the token', this.units(payment.amount ?? '0'), this.units(AMOUNT));
  }

  private async miss(offered: Subscription): Promise<Charge> {
    const due = await this.reporter.step('See the second charge', async () => {
      const open = await this.charge(
        offered.id,
        ({ due_at, token }) => due_at > offered.created_at && token !== undefined,
        2,
      );
      return [`due ${open.due_at}, to be paid until ${open.expires_at}`, open] as [string, Charge];
    });
    await this.advance('Miss it: move the clock beyond its window', '3h');
    await this.seeStatus(offered, 'past_due');
    return due;
  }

  private seeStatus({ id }: Subscription, status: string): Promise<Subscription> {
    return this.reporter.step(`See the subscription ${status}`, async () => {
      const read = await poll(
        () => this.read(id),
        (one) => one.status === status,
        WITHIN_MS,
      );
      return [`the next charge is at ${read.next_charge_at}`, read];
    });
  }

  private revoke({ id }: Subscription): Promise<void> {
    return this.reporter.step('Revoke it as the wallet', async () => {
      const revoked = await this.api.post<ForWallet>(`${this.walletPath(id)}/revoke`, WALLET);
      same('the status', revoked.status, 'revoked');
      same('the next charge', revoked.next_charge_at, null);
      return ['no charge is to come', undefined];
    });
  }

  private seeNoMore({ id }: Subscription, last: Charge): Promise<void> {
    return this.reporter.step('See that nothing more is charged', async () => {
      const charges = await this.charges(id);
      same('the charges', charges.map(({ status }) => status).join(', '), 'paid, paid');
      same('the last of them', charges[0]!.due_at, last.due_at);
      return ['two charges, both paid', undefined];
    });
  }

  private readEvents({ id, created_at }: Subscription): Promise<void> {
    return this.reporter.step('Read its statuses in the event log', async () => {
      const path = `/v1/events?event_type=subscription&limit=100&created_from=${created_at}`;
      const { data } = await this.api.get<AnswerOf<'listEvents'>>(path);
      const bodies = data.map(({ body }) => (JSON.parse(body) as EventBody).data);
      const ours = bodies.filter(({ subscription_id }) => subscription_id === id);
      const statuses = ours.map(({ status }) => status).join(' > ');
      same('the statuses', statuses, 'pending > active > past_due > active > revoked');
      return [statuses, undefined];
    });
  }

  private async advanceTo(title: string, time: string): Promise<void> {
    const now = await sandboxTime(this.sandbox.networks[0]!.rpc_url);
    const seconds = Math.ceil((Date.parse(time) - now.getTime()) / 1_000) + 60;
    await this.advance(title, `${seconds}s`);
  }

  private advance(title: string, duration: string): Promise<void> {
    return this.reporter.step(title, async () => {
      const moved = await this.operator.run<{ is_read: boolean; service_time: { after: string } }>(
        ...['clock', 'advance', duration, '--yes'],
      );
      check(moved.is_read, 'the worker should have read a block of that time');
      return [`npm run operator -- clock advance ${duration}: it is ${moved.service_time.after}`, undefined];
    });
  }

  /** The newest, once it is so. @param count of all charges then */
  private async charge(id: string, isSo: (newest: Charge) => boolean, count = 1): Promise<Charge> {
    const isThere = (all: Charges) => all.length >= count && isSo(all[0]!);
    return (await poll(() => this.charges(id), isThere, WITHIN_MS))[0]!;
  }

  private async charges(id: string): Promise<Charges> {
    const path = `${this.walletPath(id)}/charges`;
    return (await this.api.get<AnswerOf<'listSubscriptionCharges'>>(path)).data;
  }

  private read(id: string): Promise<Subscription> {
    return this.api.get<Subscription>(`${this.path()}/${id}`);
  }

  private path(): string {
    return `/v1/pos/${this.sandbox.pos_id}/subscription`;
  }

  private walletPath(id: string): string {
    return `/v1/wallets/v1/subscriptions/${id}`;
  }

  private units(amount: string): bigint {
    return BigInt(parseAmount(amount, this.asset.decimals));
  }
}
