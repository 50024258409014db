import { type TestPlatform, openTestDatabase } from '#test/support/open-database.js';
import { MADE_UP_SENDER } from '#test/support/partial-worlds.js';
import { Cell } from '#shared/kernel/cell.js';
import { newId, type AccountId, type OrganizationId, type PaymentRequestId } from '#shared/kernel/ids.js';
import { IdempotencyKeys } from '#shared/platform/idempotency/idempotency-keys.js';
import { PostgresAuditLog } from '#contexts/identity/infrastructure/persistence/postgres-audit-log.js';
import { NetworkReadiness } from '#contexts/networks/domain/network-readiness.js';
import { ConfiguredCatalogue } from '#contexts/networks/infrastructure/configuration/configured-catalogue.js';
import { EvmPayoutAddresses } from '#contexts/networks/infrastructure/evm/forwarders/evm-payout-addresses.js';
import { ForwarderDerivations } from '#contexts/networks/infrastructure/evm/forwarders/forwarder-derivation.js';
import type { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { nativeAsset, sampleAsset, settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import type {
  RefundableRequest,
  RefundableRequests,
} from '#contexts/payments/contract/refundable-requests.js';
import { notFound } from '#shared/kernel/domain-error.js';
import type { Asset } from '#shared/kernel/asset.js';
import { AllotRefundFloat } from '../../application/refunds/floats/allot-refund-float.js';
import { AdvanceFloatPayouts } from '../../application/refunds/floats/advance-float-payouts.js';
import { ApproveRefund } from '../../application/refunds/approve-refund.js';
import { CancelFloatWithdrawal } from '../../application/refunds/floats/cancel-float-withdrawal.js';
import { CancelRefund } from '../../application/refunds/cancel-refund.js';
import { ClaimRefund } from '../../application/refunds/claim-refund.js';
import { CreateRefund, type CreateRefundInput } from '../../application/refunds/create-refund.js';
import { EndFloatPayout } from '../../application/refunds/floats/end-float-payout.js';
import { EndUnclaimedRefunds } from '../../application/refunds/end-unclaimed-refunds.js';
import { FindPayoutOfCall } from '../../application/refunds/floats/find-payout-of-call.js';
import { LookAtFloats } from '../../application/refunds/floats/look-at-floats.js';
import { OpenRefundFloats } from '../../application/refunds/floats/open-refund-floats.js';
import { ReadClaimedRefund } from '../../application/refunds/refund-claim.js';
import { RefundApproval } from '../../application/refunds/refund-approval.js';
import { RefundRecipients } from '../../application/refunds/refund-recipients.js';
import { KEY_MISSING_DAYS, RefundSettings } from '../../application/refunds/refund-settings.js';
import { ReplaceRefundFloat } from '../../application/refunds/floats/replace-refund-float.js';
import { SetRefundBasis } from '../../application/refunds/set-refund-basis.js';
import { SetRefundLimit } from '../../application/refunds/set-refund-limit.js';
import { WithdrawRefundFloat } from '../../application/refunds/floats/withdraw-refund-float.js';
import { NATIVE } from '../../domain/refunds/refund-float.js';
import { PostgresFloatPayouts } from '../../infrastructure/refunds/persistence/postgres-float-payouts.js';
import { PostgresRefundFloats } from '../../infrastructure/refunds/persistence/postgres-refund-floats.js';
import { PostgresRefundLimits } from '../../infrastructure/refunds/persistence/postgres-refund-limits.js';
import { ListedRefunds } from '../../infrastructure/refunds/persistence/listed-refunds.js';
import { PostgresRefunds } from '../../infrastructure/refunds/persistence/postgres-refunds.js';
import { DirectoryOf } from './directory-of.js';
import { makeUpAddress } from './made-up-address.js';
import { MadeUpChain } from './made-up-chain.js';

export const NETWORK = 'sandbox';
export const PAYER = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
export const SETTLED_TO = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
export const DEPOSIT_ADDRESS = '0x90f79bf6eb2c4f870365e785982e1f101e93b906';

/** The ledger is not there. */
const NOT_POSTED = [
  'ledger-refunds-are-followed',
  'ledger-top-ups-are-posted',
  'ledger-float-withdrawals-are-followed',
];

/** Refunds on a real database, beside a made-up chain and made-up payments. */
export class RefundsWorld {
  readonly chain = new MadeUpChain();
  readonly organizationId = newId<OrganizationId>();
  readonly accountId = newId<AccountId>();
  readonly requests = new Map<PaymentRequestId, RefundableRequest>();

  /** Processes send by this chain; a test with real nodes sets another. */
  sending: Pick<MadeUpChain, 'sender' | 'planning'> = this.chain;
  readonly catalogue: ConfiguredCatalogue;

  private constructor(
    readonly platform: TestPlatform,
    private readonly settings: NetworksSettings,
  ) {
    this.catalogue = new ConfiguredCatalogue(settings, new NetworkReadiness());
  }

  static async open(
    settings = settingsFor('http://127.0.0.1:9', { assets: [sampleAsset(), nativeAsset()] }),
  ): Promise<RefundsWorld> {
    const world = new RefundsWorld(await openTestDatabase(), settings);
    world.platform.makesUp([...NOT_POSTED, ...MADE_UP_SENDER, 'addresses-match-events']);
    world.chain.transaction = (work) => world.platform.database.run(work);
    await world.organization(world.organizationId, world.accountId);
    return world;
  }

  async organization(id: OrganizationId, accountId = newId<AccountId>()): Promise<void> {
    await this.rows(
      `INSERT INTO identity.organizations (id, name, created_at, updated_at) VALUES ($1, 'Shop', now(), now())`,
      [id],
    );
    await this.rows(
      `INSERT INTO identity.accounts (id, organization_id, external_id, name, created_at, updated_at)
       VALUES ($1, $2, 'main', 'Main', now(), now())`,
      [accountId, id],
    );
  }

  close(brokenOnPurpose: readonly string[] | 'any' = []): Promise<void> {
    return this.platform.close(brokenOnPurpose);
  }

  rows<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.platform.database.query<Row>(text, values);
  }

  get token(): Asset {
    return this.catalogue.assets()[0]!;
  }

  get coin(): Asset {
    return this.catalogue.assets()[1]!;
  }

  get scope() {
    return { organizationId: this.organizationId, accountId: null };
  }

  request(
    changes: Partial<RefundableRequest> = {},
    received: Partial<RefundableRequest['received'][number]> = {},
  ) {
    const request: RefundableRequest = {
      id: newId<PaymentRequestId>(),
      ...{ organizationId: this.organizationId, accountId: this.accountId, pointOfSaleId: newId() },
      ...{ status: 'completed', merchantName: 'Corner Coffee' },
      received: [{ asset: this.token, asked: 10_000_000n, paid: 10_000_000n, deposited: 0n, ...received }],
      ...changes,
    };
    this.requests.set(request.id, request);
    return request;
  }

  /** An ended request whose address pays out to that one, beside organization's terms that name another. */
  async requestPaidTo(settlementAddress: string, organizationTerms = SETTLED_TO) {
    const request = this.request();
    await makeUpAddress(this.platform.database, request, settlementAddress, organizationTerms);
    return request;
  }

  process() {
    const { database, clock, eventLog } = this.platform;
    const refunds = new PostgresRefunds(database, eventLog);
    const floats = new PostgresRefundFloats(database, eventLog);
    const payouts = new PostgresFloatPayouts(database, eventLog);
    const limits = new PostgresRefundLimits(database);
    const { catalogue, chain } = this;
    const { sender, planning } = this.sending;
    const requests: RefundableRequests = {
      find: async (scope, id) => {
        const found = this.requests.get(id);
        const isOwn =
          found?.organizationId === scope.organizationId && [null, found.accountId].includes(scope.accountId);
        if (!isOwn) throw notFound('payment request');
        return found;
      },
    };
    const recipients = new RefundRecipients(
      new EvmPayoutAddresses(new ForwarderDerivations(this.settings)),
      { has: async (address) => address === DEPOSIT_ADDRESS },
      catalogue,
      floats,
    );
    const approval = new RefundApproval(planning, sender, catalogue, floats, payouts, limits, refunds);
    const auditLog = new PostgresAuditLog(database);
    const approve = new ApproveRefund(refunds, approval, clock, database, auditLog);
    const readClaimed = new ReadClaimedRefund(refunds, new Cell());
    const end = new EndFloatPayout(payouts, refunds, catalogue, clock, database);
    const accounts = new DirectoryOf(this.organizationId, this.accountId);
    const terms = { settlementAddress: async () => SETTLED_TO };
    return {
      ...{ refunds, floats, payouts, limits, approve, readClaimed },
      create: new CreateRefund(
        ...([requests, catalogue, recipients, approval, floats, refunds, clock, database] as const),
        new IdempotencyKeys(database),
        new Cell(),
        auditLog,
      ),
      cancelWithdrawal: new CancelFloatWithdrawal(payouts, sender, auditLog, clock, database),
      cancel: new CancelRefund(refunds, floats, payouts, sender, clock, database, auditLog),
      claim: new ClaimRefund(readClaimed, recipients, refunds, limits, approve, clock, database),
      listed: new ListedRefunds(database),
      open: new OpenRefundFloats(floats, sender),
      findPayout: new FindPayoutOfCall(planning, sender, floats, payouts, refunds, limits, clock),
      look: new LookAtFloats(floats, chain.reader, chain.second, catalogue, clock, database),
      advance: new AdvanceFloatPayouts(
        ...([payouts, planning, sender, end] as const),
        ...([new RefundSettings('https://pay.example', KEY_MISSING_DAYS), clock] as const),
      ),
      endUnclaimed: new EndUnclaimedRefunds(refunds, floats, clock, database),
      allot: new AllotRefundFloat(accounts, catalogue, limits, auditLog, clock, database),
      setBasis: new SetRefundBasis(limits, auditLog, clock, database),
      setLimit: new SetRefundLimit(accounts, catalogue, limits, auditLog, clock, database),
      replace: new ReplaceRefundFloat(floats, sender, auditLog, clock, database),
      withdraw: new WithdrawRefundFloat(
        ...([catalogue, terms, floats, approval] as const),
        ...([payouts, auditLog, clock, database] as const),
      ),
    };
  }

  /** The organization's float, with that much of both assets, looked at. @returns its address */
  async fund(tokens = 100_000_000n, coins = 1_000_000n): Promise<string> {
    const { floats, open, look } = this.process();
    await floats.findOrCreate(this.organizationId, NETWORK);
    await open.execute(NETWORK);
    const { address } = await floats.findOrCreate(this.organizationId, NETWORK);
    this.chain.put(address!, this.token.token, tokens);
    this.chain.put(address!, NATIVE, coins);
    await look.execute(NETWORK);
    return address!;
  }

  create(input: Partial<CreateRefundInput> & { of: RefundableRequest }) {
    const { of, ...rest } = input;
    const named = rest.claim === undefined ? { refundToAddress: PAYER } : {};
    return this.process().create.execute({
      ...{ scope: this.scope, paymentRequestId: of.id, by: 'credential', ...named },
      ...rest,
    });
  }

  /** Takes the worker's turns, whatever was put off. */
  async turn(): Promise<void> {
    await this.rows(
      `UPDATE settlement.refund_float_payouts SET due_at = '-infinity' WHERE status = 'processing'`,
    );
    await this.process().advance.execute(NETWORK);
  }

  /** The holding of the organization's float. */
  async holding(holding: string) {
    const { floats } = this.process();
    const { id } = await floats.findOrCreate(this.organizationId, NETWORK);
    return (await floats.holdings(id)).get(holding)!;
  }

  async status(id: string): Promise<string> {
    const [row] = await this.rows<{ status: string }>('SELECT status FROM settlement.refunds WHERE id = $1', [
      id,
    ]);
    return row!.status;
  }

  events(type: string) {
    return this.rows<{ aggregateId: string; data: Record<string, string> }>(
      'SELECT aggregate_id, data FROM platform.events WHERE type = $1 ORDER BY position',
      [type],
    );
  }
}
