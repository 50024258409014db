import type { OperatorCommandRunner } from '#app/operator/operator-command-runner.js';
import type { Schemas } from '#client/api-types.js';
import type { SandboxFile } from '../folder/sandbox-folder.js';
import { check, poll, same, Story, type StepReporter } from './story.js';

type Subscription = Schemas['Subscription'];
type ForWallet = Schemas['WalletSubscription'];
type Charge = Schemas['Charge'];

const AMOUNT = '9.90';
const WALLET = { wallet_external_id: 'demo-wallet' };

/**
 * A monthly subscription that is paid, missed, recovered and revoked. Moves the sandbox's clock forward by about
 * three months.
 * @throws Error at the first wrong result
 */
export class SubscriptionScenario extends Story {
  constructor(
    sandbox: SandboxFile,
    private readonly operator: OperatorCommandRunner,
    reporter: StepReporter,
  ) {
    super(sandbox, reporter);
  }

  async run(): Promise<void> {
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
      const offered = await this.client.post('/v1/pos/{posID}/subscription', {
        params: { path: { posID: this.sandbox.pos_id } },
        body: {
          amount: AMOUNT,
          unique_asset_id: this.asset.unique_asset_id,
          interval: 'P1M',
          reference_id: `demo-subscription-${Date.now()}`,
        },
      });
      same('the status', offered.status, 'pending');
      same('the next charge', offered.next_charge_at, null);
      return [`${offered.amount} ${offered.currency} a month; its page is ${offered.url}`, offered];
    });
  }

  private accept({ id }: Subscription): Promise<ForWallet> {
    return this.reporter.step('Accept it as a wallet', async () => {
      const params = { path: { id } };
      const accepted = await this.client.post('/v1/wallets/v1/subscriptions/{id}/accept', {
        params,
        body: WALLET,
      });
      same('the status', accepted.status, 'active');
      same('the wallet', accepted.wallet_external_id, WALLET.wallet_external_id);
      return [`charged immediately, next at ${accepted.next_charge_at}`, accepted];
    });
  }

  private payCharge({ id }: Subscription, title: string): Promise<Charge> {
    return this.reporter.step(title, async () => {
      const open = await this.charge(id, ({ token, payment_status }) => {
        return token !== undefined && payment_status === 'created';
      });
      await this.verifiedToken(open.token!, { address: open.address!, amount: AMOUNT });
      const hash = await this.send(open.address!, open.amount);
      const paid = await this.charge(id, ({ status }) => status === 'paid');
      same('the due date', paid.due_at, open.due_at);
      same('the amount received', this.units(paid.received_amount!), this.units(AMOUNT));
      return [`due ${paid.due_at}, ${open.amount} ${open.currency} by ${hash}`, paid];
    });
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
      const params = { path: { posID: this.sandbox.pos_id, subscriptionID: id } };
      const read = await poll(
        () => this.client.get('/v1/pos/{posID}/subscription/{subscriptionID}', { params }),
        (one) => one.status === status,
      );
      return [`the next charge is at ${read.next_charge_at}`, read];
    });
  }

  private revoke({ id }: Subscription): Promise<void> {
    return this.reporter.step('Revoke it as the wallet', async () => {
      const params = { path: { id } };
      const revoked = await this.client.post('/v1/wallets/v1/subscriptions/{id}/revoke', {
        params,
        body: WALLET,
      });
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
      const statuses: string[] = [];
      const query = { event_type: 'subscription' as const, created_from: created_at };
      for await (const { data } of this.client.events(query)) {
        if (data.notification_type !== 'subscription_status_update') continue;
        if (data.subscription_id === id) statuses.push(data.status);
      }
      same('the statuses', statuses.join(' > '), 'pending > active > past_due > active > revoked');
      return [statuses.join(' > '), undefined];
    });
  }

  private async advanceTo(title: string, time: string): Promise<void> {
    const seconds = Math.ceil((Date.parse(time) - (await this.now()).getTime()) / 1_000) + 60;
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

  /**
   * Waits for `count` charges, of which the newest satisfies `isSo`.
   * @returns the newest charge
   */
  private async charge(id: string, isSo: (newest: Charge) => boolean, count = 1): Promise<Charge> {
    const isThere = (all: readonly Charge[]) => all.length >= count && isSo(all[0]!);
    return (await poll(() => this.charges(id), isThere))[0]!;
  }

  private async charges(id: string): Promise<readonly Charge[]> {
    const params = { path: { id } };
    return (await this.client.get('/v1/wallets/v1/subscriptions/{id}/charges', { params })).data;
  }
}
