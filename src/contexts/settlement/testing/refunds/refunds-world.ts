import { type TestPlatform, openTestDatabase } from '#test/support/open-database.js';
import { MADE_UP_SENDER } from '#test/support/partial-worlds.js';
import type { Database } from '#shared/platform/database/database.js';
import { newId, type AccountId, type OrganizationId, type PaymentRequestId } from '#shared/kernel/ids.js';
import { type Chain, Chains } from '#contexts/networks/contract/chains.js';
import { SameChain } from '#contexts/networks/testing/same-chain.js';
import { NetworkReadiness } from '#contexts/networks/domain/network-readiness.js';
import { ConfiguredCatalogue } from '#contexts/networks/infrastructure/configuration/configured-catalogue.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { OutputChain } from '#contexts/networks/testing/output-chain.js';
import {
  OUTPUT_COIN,
  OUTPUT_CONFIGURATION,
  OutputChainType,
  OUTPUT_NETWORK,
} from '#contexts/networks/testing/output-chain-type.js';
import { nativeAsset, sampleAsset, settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import type {
  RefundableRequest,
  RefundableRequests,
} from '#contexts/payments/contract/refundable-requests.js';
import type { Asset } from '#shared/kernel/asset.js';
import { type CreateRefundInput, CreateRefund } from '../../application/refunds/create-refund.js';
import { NATIVE_HOLDING_KEY } from '../../domain/refunds/refund-float.js';
import { MadeUpChain } from './made-up-chain.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { EvmPayoutAddressRules } from '#chains/evm/forwarders/evm-payout-address-rules.js';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { IdempotencyKeys } from '#shared/platform/idempotency/idempotency-keys.js';
import { PostgresAuditLog } from '#contexts/identity/infrastructure/persistence/postgres-audit-log.js';
import { ForwarderDerivations } from '#chains/evm/forwarders/forwarder-derivations.js';
import { notFound } from '#shared/kernel/domain-error.js';
import { AllotRefundFloat } from '../../application/refunds/floats/allot-refund-float.js';
import { AdvanceFloatPayouts } from '../../application/refunds/floats/advance-float-payouts.js';
import { ApproveRefund } from '../../application/refunds/approve-refund.js';
import { CancelFloatWithdrawal } from '../../application/refunds/floats/cancel-float-withdrawal.js';
import { CancelRefund } from '../../application/refunds/cancel-refund.js';
import { ClaimRefund } from '../../application/refunds/claim-refund.js';
import { TrackMerchantRefunds } from '../../application/refunds/track-merchant-refunds.js';
import { MerchantRefundPaymentParser } from '../../application/refunds/merchant-refund-payment-parser.js';
import { EndFloatPayout } from '../../application/refunds/floats/end-float-payout.js';
import { CancelRefundsOfReversedPayments } from '../../application/refunds/cancel-refunds-of-reversed-payments.js';
import { ExpireUnclaimedRefunds } from '../../application/refunds/expire-unclaimed-refunds.js';
import { FindFloatPayoutOfCall } from '../../application/refunds/floats/find-float-payout-of-call.js';
import { LockRefundedSum } from '../../application/refunds/lock-refunded-sum.js';
import { CheckFloats } from '../../application/refunds/floats/check-floats.js';
import { AssignFloatAddresses } from '../../application/refunds/floats/assign-float-addresses.js';
import {
  FindRefundByClaimCode,
  DEFAULT_MISSING_FLOAT_KEY_DAYS,
  RefundSettings,
} from '../../application/refunds/refund-claim.js';
import { RefundApproval } from '../../application/refunds/refund-approval.js';
import { RefundAddressParser } from '../../application/refunds/refund-address-parser.js';
import { ReplaceClaimLink } from '../../application/refunds/replace-claim-link.js';
import { ReplaceRefundFloat } from '../../application/refunds/floats/replace-refund-float.js';
import { SetRefundLimitBasis } from '../../application/refunds/set-refund-limit-basis.js';
import { SetRefundLimit } from '../../application/refunds/set-refund-limit.js';
import { WithdrawRefundFloat } from '../../application/refunds/floats/withdraw-refund-float.js';
import { FloatPayouts } from '../../infrastructure/refunds/persistence/float-payouts.js';
import { RefundFloats } from '../../infrastructure/refunds/persistence/refund-floats.js';
import { RefundLimits } from '../../infrastructure/refunds/persistence/refund-limits.js';
import { RefundQueries } from '../../infrastructure/refunds/persistence/refund-queries.js';
import type { EventLog } from '#shared/platform/event-log/event-log.js';
import { PostgresRefunds } from '../../infrastructure/refunds/persistence/postgres-refunds.js';

export const SETTLED_TO = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
export const DEPOSIT_ADDRESS = '0x90f79bf6eb2c4f870365e785982e1f101e93b906';

class SingleAccountDirectory extends AccountDirectory {
  constructor(
    private readonly organization: OrganizationId,
    private readonly account: AccountId,
  ) {
    super();
  }

  async belongsTo(account: AccountId, organization: OrganizationId): Promise<boolean> {
    return account === this.account && organization === this.organization;
  }
}

class EvmAndOutputPayoutAddresses extends Chains {
  private readonly evm: EvmPayoutAddressRules;

  constructor(
    settings: NetworksSettings,
    private readonly outputs: Chain,
  ) {
    super();
    this.evm = new EvmPayoutAddressRules(settings.networks[0]!.network, new ForwarderDerivations(settings));
  }

  find(network: string): Chain {
    return network === OUTPUT_NETWORK
      ? this.outputs
      : ({ payoutAddresses: this.evm } as Partial<Chain> as Chain);
  }
}

/** Refunds whose payment requests exist only in the test world, not in the database. */
class RefundsOfWorld extends PostgresRefunds {
  constructor(
    database: Database,
    eventLog: EventLog,
    private readonly world: RefundsWorld,
  ) {
    super(database, eventLog);
  }

  override async findReceivedSum(id: PaymentRequestId, uniqueAssetId: string): Promise<bigint> {
    return (this.world.requests.get(id)?.received ?? [])
      .filter(({ asset }) => asset.uniqueAssetId === uniqueAssetId)
      .reduce((sum, { paid, deposited }) => sum + paid + deposited, 0n);
  }
}

/** The use cases of a process that pays and follows refunds. The chain and the payments are simulated. */
function refundsProcess(world: RefundsWorld) {
  const { database, clock, eventLog } = world.platform;
  const refunds = new RefundsOfWorld(database, eventLog, world);
  const floats = new RefundFloats(database, eventLog);
  const payouts = new FloatPayouts(database, eventLog);
  const limits = new RefundLimits(database);
  const { catalogue, chain } = world;
  const { sender, planning } = world.sending;
  const planned = new SameChain({ transferPlanning: planning });
  const requests: RefundableRequests = {
    find: async (scope, id) => {
      const found = world.requests.get(id);
      const isOwn =
        found?.organizationId === scope.organizationId && [null, found.accountId].includes(scope.accountId);
      if (!isOwn) throw notFound('payment request');
      return found;
    },
    isPaidBy: async (id, { transactionHash, to }) =>
      [transactionHash, ...to].some((each) => world.ownPayments.get(id)?.includes(each)),
  };
  const lockSum = new LockRefundedSum(refunds);
  const { outputChainType: outputs } = world;
  const recipients = new RefundAddressParser(
    new EvmAndOutputPayoutAddresses(world.settings, outputs),
    { isDepositAddress: async (address) => address === DEPOSIT_ADDRESS },
    catalogue,
    floats,
  );
  const approval = new RefundApproval(planned, sender, catalogue, floats, payouts, limits, refunds);
  const auditLog = new PostgresAuditLog(database);
  const approve = new ApproveRefund(refunds, lockSum, approval, clock, database, auditLog);
  const cancel = new CancelRefund(refunds, floats, payouts, sender, clock, database, auditLog);
  const readClaimed = new FindRefundByClaimCode(refunds, new DeploymentCell());
  const end = new EndFloatPayout(payouts, refunds, catalogue, clock, database);
  const accounts = new SingleAccountDirectory(world.organizationId, world.accountId);
  const terms = { settlementAddress: async () => SETTLED_TO };
  return {
    ...{ refunds, floats, payouts, limits, approve, readClaimed },
    create: new CreateRefund(
      ...([requests, catalogue, recipients] as const),
      new MerchantRefundPaymentParser(catalogue, recipients, requests, new SameChain(outputs)),
      ...([approval, floats, refunds, lockSum, clock, database] as const),
      new IdempotencyKeys(database),
      new DeploymentCell(),
      auditLog,
    ),
    cancelWithdrawal: new CancelFloatWithdrawal(payouts, sender, auditLog, clock, database),
    cancel,
    replaceClaimLink: new ReplaceClaimLink(
      ...([refunds, clock, database, new IdempotencyKeys(database), new DeploymentCell(), auditLog] as const),
    ),
    endReversed: new CancelRefundsOfReversedPayments(refunds, cancel),
    claim: new ClaimRefund(readClaimed, recipients, refunds, limits, approve, clock, database),
    listed: new RefundQueries(database),
    open: new AssignFloatAddresses(floats, sender),
    findPayout: new FindFloatPayoutOfCall(planned, sender, floats, payouts, refunds, limits, clock),
    look: new CheckFloats(floats, new SameChain(chain), catalogue, clock, database, {
      networkProgress: () => readingsOfOutputChain(world),
    }),
    advance: new AdvanceFloatPayouts(
      ...([payouts, refunds, lockSum, planned, sender, end] as const),
      ...([new RefundSettings('https://pay.example', DEFAULT_MISSING_FLOAT_KEY_DAYS, false), clock] as const),
    ),
    followMerchants: new TrackMerchantRefunds(
      ...([refunds, new SameChain(outputs), catalogue, requests] as const),
      { networkProgress: () => readingsOfOutputChain(world) },
      ...([clock, database] as const),
    ),
    endUnclaimed: new ExpireUnclaimedRefunds(refunds, floats, clock, database),
    allot: new AllotRefundFloat(accounts, catalogue, limits, auditLog, clock, database),
    setBasis: new SetRefundLimitBasis(limits, auditLog, clock, database),
    setLimit: new SetRefundLimit(accounts, catalogue, limits, auditLog, clock, database),
    replace: new ReplaceRefundFloat(floats, sender, auditLog, clock, database),
    withdraw: new WithdrawRefundFloat(
      ...([catalogue, terms, floats, approval] as const),
      ...([payouts, auditLog, clock, database] as const),
    ),
  };
}

/** Progress of a watcher that has read the entire output chain. */
async function readingsOfOutputChain({ outputChainType }: RefundsWorld) {
  const { head, finalNumber } = await outputChainType.reader.head();
  const ofHead = {
    headNumber: head.number,
    headTime: head.time,
    finalNumber,
    finalizedNumber: finalNumber,
    finalTime: head.time,
  };
  const pendingReadAt = head.time;
  const trusted = { disagreement: null, disagreesSince: null, maxLagSeconds: 60, isWatched: true };
  return [{ network: OUTPUT_NETWORK, ...ofHead, pendingReadAt, ...trusted }];
}

export const NETWORK = 'sandbox';
export const PAYER = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';

/** Minimum amount of the native coin, so that a few units already count as a top-up of the float. */
const ONE_WEI_MINIMUM = { minimum_amount: '0.000000000000000001' };

/** Invariants of the ledger that are not checked, because no ledger posts these refunds. */
const INVARIANTS_OF_MISSING_LEDGER = [
  'ledger-refunds-are-followed',
  'ledger-top-ups-are-posted',
  'ledger-float-withdrawals-are-followed',
];

/** Returns the code and message of the error with which the promise is rejected. "done" if it succeeds. */
export const rejectionText = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: { code?: string; message: string }) => `${error.code}: ${error.message}`,
  );

export class RefundsWorld {
  readonly chain = new MadeUpChain();
  readonly organizationId = newId<OrganizationId>();
  readonly accountId = newId<AccountId>();
  readonly requests = new Map<PaymentRequestId, RefundableRequest>();
  /** Hashes of the transactions that paid a payment request, and its deposit addresses. */
  readonly ownPayments = new Map<PaymentRequestId, readonly string[]>();

  /** Sender and planning that the processes use. A test with real nodes replaces them. */
  sending: Pick<MadeUpChain, 'sender' | 'planning'> = this.chain;
  readonly catalogue: ConfiguredCatalogue;
  /** Simulated chain of the network that delivers payments to merchants' own wallets. */
  readonly outputs = new OutputChain(OUTPUT_COIN.token, Date.now());
  /** Chain type of the output network. A test replaces it to simulate another process. */
  outputChainType = new OutputChainType(this.outputs);

  private constructor(
    readonly platform: TestPlatform,
    readonly settings: NetworksSettings,
  ) {
    this.catalogue = new ConfiguredCatalogue(settings, new NetworkReadiness());
  }

  static async open(
    settings = settingsFor('http://127.0.0.1:9', { assets: [sampleAsset(), nativeAsset(ONE_WEI_MINIMUM)] }),
  ): Promise<RefundsWorld> {
    const world = new RefundsWorld(await openTestDatabase(), settings);
    world.platform.makesUp([...INVARIANTS_OF_MISSING_LEDGER, ...MADE_UP_SENDER, 'addresses-match-events']);
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

  static async openDelivering(): Promise<RefundsWorld> {
    const { networks } = settingsFor('http://127.0.0.1:9', {
      assets: [sampleAsset(), nativeAsset(ONE_WEI_MINIMUM)],
    });
    return RefundsWorld.open(new NetworksSettings([...networks, OUTPUT_CONFIGURATION]));
  }

  close(brokenOnPurpose: readonly string[] | 'any' = []): Promise<void> {
    return this.platform.close(brokenOnPurpose);
  }

  /** Sets the settlement address of the organization, or of one account. Writes no audit entry. */
  async settleTo(address: string, account: AccountId | null = null): Promise<void> {
    await this.rows(
      `INSERT INTO point_of_sale.settlement_terms (id, organization_id, account_id, network, settlement_address,
         fee_recipient, fee_basis_points, set_by, created_at)
       VALUES (gen_random_uuid(), $1, $2, $3, $4, $4, 1, 'test', now())`,
      [this.organizationId, account, NETWORK, address],
    );
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

  /**
   * Creates an ended request whose deposit address pays out to `settlementAddress`, while the organization's own terms
   * name `organizationTerms`.
   */
  async requestPaidTo(settlementAddress: string, organizationTerms = SETTLED_TO) {
    const request = this.request();
    await storeDepositAddress(this.platform.database, request, settlementAddress, organizationTerms);
    return request;
  }

  /** Simulates a reversal on the chain that leaves only `paid` of the request's payment. */
  async reverse(request: RefundableRequest, paid: bigint): Promise<void> {
    const received = request.received.map((each) => ({ ...each, paid }));
    this.requests.set(request.id, { ...request, received });
    await this.platform.database.run(async () => {
      await this.rows('SET LOCAL session_replication_role = replica');
      await this.rows(
        `INSERT INTO payments.settlement_holds (id, network, address, payment_request_id, organization_id, account_id, transfer_id,
           held_at) VALUES (gen_random_uuid(), $1, '0x1', $2, $3, $4, gen_random_uuid(), now())`,
        [received[0]!.asset.network, request.id, request.organizationId, request.accountId],
      );
    });
  }

  process() {
    return refundsProcess(this);
  }

  async fund(tokens = 100_000_000n, coins = 1_000_000n): Promise<string> {
    const { floats, open, look } = this.process();
    await floats.findOrCreate(this.organizationId, NETWORK);
    await open.assign(NETWORK);
    const { address } = await floats.findOrCreate(this.organizationId, NETWORK);
    this.chain.put(address!, this.token.token, tokens);
    this.chain.put(address!, NATIVE_HOLDING_KEY, coins);
    await look.check(NETWORK);
    return address!;
  }

  create(input: Partial<CreateRefundInput> & { of: RefundableRequest }) {
    const { of, ...rest } = input;
    const named = rest.claim === undefined ? { refundToAddress: PAYER } : {};
    return this.process().create.create({
      ...{ scope: this.scope, paymentRequestId: of.id, by: 'credential', ...named },
      ...rest,
    });
  }

  async turn(): Promise<void> {
    await this.process().endReversed.cancel(NETWORK);
    await this.rows(
      `UPDATE settlement.refund_float_payouts SET due_at = '-infinity' WHERE status = 'processing'`,
    );
    await this.process().advance.advance(NETWORK);
  }

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

/**
 * Stores a deposit address of the request that pays out to `settlementAddress`, and other settlement terms of the
 * organization.
 */
function storeDepositAddress(
  database: Database,
  { id, organizationId, accountId, received }: RefundableRequest,
  settlementAddress: string,
  organizationTerms: string,
): Promise<void> {
  const { network, uniqueAssetId } = received[0]!.asset;
  return database.run(async () => {
    // Disables constraints, because the related rows of payments and terms do not exist.
    await database.query('SET LOCAL session_replication_role = replica');
    await database.query(
      `INSERT INTO point_of_sale.settlement_terms (id, organization_id, network, settlement_address, fee_recipient,
         fee_basis_points, set_by, created_at) VALUES ($1, $2, $3, $4, '0x' || repeat('0', 40), 0, 'test', now())`,
      [newId(), organizationId, network, organizationTerms],
    );
    await database.query(
      `INSERT INTO payments.deposit_addresses (network, address, payment_request_id, organization_id, account_id,
         unique_asset_id, derivation, settlement_terms_id, settlement_address, fee_recipient, fee_basis_points, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, '{}', $7, $8, '0x' || repeat('0', 40), 0, now())`,
      [
        ...[network, `0x${id.replaceAll('-', '').padStart(40, '0')}`, id, organizationId, accountId],
        ...[uniqueAssetId, newId(), settlementAddress],
      ],
    );
  });
}
