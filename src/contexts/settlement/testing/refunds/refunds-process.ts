import type { TestPlatform } from '#test/support/open-database.js';
import type { AccountId, OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import type { PayoutAddresses } from '#contexts/networks/contract/payout-addresses.js';
import { EvmPayoutAddresses } from '#contexts/networks/infrastructure/evm/forwarders/evm-payout-addresses.js';
import type { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import type { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { Cell } from '#shared/kernel/cell.js';
import { IdempotencyKeys } from '#shared/platform/idempotency/idempotency-keys.js';
import { PostgresAuditLog } from '#contexts/identity/infrastructure/persistence/postgres-audit-log.js';
import { ForwarderDerivations } from '#contexts/networks/infrastructure/evm/forwarders/forwarder-derivation.js';
import { OUTPUT_NETWORK, type OutputFamily } from '#contexts/networks/testing/output-family.js';
import type {
  RefundableRequest,
  RefundableRequests,
} from '#contexts/payments/contract/refundable-requests.js';
import { notFound } from '#shared/kernel/domain-error.js';
import { AllotRefundFloat } from '../../application/refunds/floats/allot-refund-float.js';
import { AdvanceFloatPayouts } from '../../application/refunds/floats/advance-float-payouts.js';
import { ApproveRefund } from '../../application/refunds/approve-refund.js';
import { CancelFloatWithdrawal } from '../../application/refunds/floats/cancel-float-withdrawal.js';
import { CancelRefund } from '../../application/refunds/cancel-refund.js';
import { ClaimRefund } from '../../application/refunds/claim-refund.js';
import { CreateRefund } from '../../application/refunds/create-refund.js';
import { FollowMerchantRefunds } from '../../application/refunds/follow-merchant-refunds.js';
import { MerchantPayments } from '../../application/refunds/merchant-payments.js';
import { EndFloatPayout } from '../../application/refunds/floats/end-float-payout.js';
import { EndReversedRefunds } from '../../application/refunds/end-reversed-refunds.js';
import { EndUnclaimedRefunds } from '../../application/refunds/end-unclaimed-refunds.js';
import { FindPayoutOfCall } from '../../application/refunds/floats/find-payout-of-call.js';
import { LockRefundedSum } from '../../application/refunds/lock-refunded-sum.js';
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
import { PostgresFloatPayouts } from '../../infrastructure/refunds/persistence/postgres-float-payouts.js';
import { PostgresRefundFloats } from '../../infrastructure/refunds/persistence/postgres-refund-floats.js';
import { PostgresRefundLimits } from '../../infrastructure/refunds/persistence/postgres-refund-limits.js';
import { ListedRefunds } from '../../infrastructure/refunds/persistence/listed-refunds.js';
import { PostgresRefunds } from '../../infrastructure/refunds/persistence/postgres-refunds.js';
import type { MadeUpChain } from './made-up-chain.js';

export const SETTLED_TO = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
export const DEPOSIT_ADDRESS = '0x90f79bf6eb2c4f870365e785982e1f101e93b906';

/** Knows one account. */
class DirectoryOf extends AccountDirectory {
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

/** Addresses of an EVM network and of the network of outputs. */
class PayoutAddressesOfBoth extends EvmPayoutAddresses {
  constructor(
    derivations: ForwarderDerivations,
    private readonly outputs: PayoutAddresses,
  ) {
    super(derivations);
  }

  override read(network: string, field: string, text: string): string {
    if (network === OUTPUT_NETWORK) return this.outputs.read(network, field, text);
    return super.read(network, field, text);
  }
}

/** A world in which processes pay and follow refunds. */
export interface WorldOfRefunds {
  readonly platform: TestPlatform;
  readonly settings: NetworksSettings;
  readonly catalogue: NetworkCatalogue;
  readonly chain: MadeUpChain;
  readonly sending: Pick<MadeUpChain, 'sender' | 'planning'>;
  readonly outputFamily: OutputFamily;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly requests: ReadonlyMap<PaymentRequestId, RefundableRequest>;
  /** Transactions that brought a request something, and its deposit addresses. */
  readonly ownPayments: ReadonlyMap<PaymentRequestId, readonly string[]>;
}

/** The parts of a process that pays and follows refunds, beside the world's made-up chain and payments. */
export function refundsProcess(world: WorldOfRefunds) {
  const { database, clock, eventLog } = world.platform;
  const refunds = new PostgresRefunds(database, eventLog);
  const floats = new PostgresRefundFloats(database, eventLog);
  const payouts = new PostgresFloatPayouts(database, eventLog);
  const limits = new PostgresRefundLimits(database);
  const { catalogue, chain } = world;
  const { sender, planning } = world.sending;
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
  const received = {
    find: async (id: PaymentRequestId, uniqueAssetId: string) =>
      (world.requests.get(id)?.received ?? [])
        .filter(({ asset }) => asset.uniqueAssetId === uniqueAssetId)
        .reduce((sum, { paid, deposited }) => sum + paid + deposited, 0n),
  };
  const lockSum = new LockRefundedSum(refunds, received);
  const { outputFamily: outputs } = world;
  const recipients = new RefundRecipients(
    new PayoutAddressesOfBoth(new ForwarderDerivations(world.settings), outputs.payoutAddresses),
    { has: async (address) => address === DEPOSIT_ADDRESS },
    catalogue,
    floats,
  );
  const approval = new RefundApproval(planning, sender, catalogue, floats, payouts, limits, refunds);
  const auditLog = new PostgresAuditLog(database);
  const approve = new ApproveRefund(refunds, lockSum, approval, clock, database, auditLog);
  const cancel = new CancelRefund(refunds, floats, payouts, sender, clock, database, auditLog);
  const readClaimed = new ReadClaimedRefund(refunds, new Cell());
  const end = new EndFloatPayout(payouts, refunds, catalogue, clock, database);
  const accounts = new DirectoryOf(world.organizationId, world.accountId);
  const terms = { settlementAddress: async () => SETTLED_TO };
  return {
    ...{ refunds, floats, payouts, limits, approve, readClaimed },
    create: new CreateRefund(
      ...([requests, catalogue, recipients] as const),
      new MerchantPayments(catalogue, recipients, requests, outputs.lookup),
      ...([approval, floats, refunds, lockSum, clock, database] as const),
      new IdempotencyKeys(database),
      new Cell(),
      auditLog,
    ),
    cancelWithdrawal: new CancelFloatWithdrawal(payouts, sender, auditLog, clock, database),
    cancel,
    endReversed: new EndReversedRefunds(refunds, received, cancel),
    claim: new ClaimRefund(readClaimed, recipients, refunds, limits, approve, clock, database),
    listed: new ListedRefunds(database),
    open: new OpenRefundFloats(floats, sender),
    findPayout: new FindPayoutOfCall(planning, sender, floats, payouts, refunds, limits, clock),
    look: new LookAtFloats(floats, chain.reader, chain.second, catalogue, clock, database),
    advance: new AdvanceFloatPayouts(
      ...([payouts, refunds, lockSum, planning, sender, end] as const),
      ...([new RefundSettings('https://pay.example', KEY_MISSING_DAYS), clock] as const),
    ),
    followMerchants: new FollowMerchantRefunds(
      ...([refunds, outputs.lookup, outputs.reader, outputs.secondEndpoint, catalogue, requests] as const),
      { readings: () => readings(world), dues: async () => [] },
      ...([clock, database] as const),
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

/** The watcher has read the whole chain of outputs. */
async function readings({ outputFamily }: WorldOfRefunds) {
  const { head, finalNumber } = await outputFamily.reader.head();
  const ofHead = { headNumber: head.number, headTime: head.time, finalNumber, finalTime: head.time };
  const pendingReadAt = head.time;
  const trusted = { disagreement: null, disagreesSince: null, maxLagSeconds: 60, isWatched: true };
  return [{ network: OUTPUT_NETWORK, ...ofHead, pendingReadAt, ...trusted }];
}
