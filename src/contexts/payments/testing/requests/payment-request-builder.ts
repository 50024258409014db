import { newId } from '#shared/kernel/ids.js';
import {
  type IncomingTransfer,
  type ChainProgress,
  NEW_TRANSFER_STATE,
  type RecordedTransfer,
} from '#contexts/chain-watching/contract/incoming-transfer.js';
import { PaymentRequest } from '../../domain/requests/payment-request.js';
import type { Selection } from '../../domain/requests/selection.js';
import {
  DOLLAR,
  EURO,
  NETWORK,
  OTHER_DOLLAR,
  OTHER_GRACE_SECONDS,
  OTHER_NETWORK,
} from './collecting-world.js';
import type {
  PaymentRequestCreditReversed,
  PaymentRequestDepositReceived,
  PaymentRequestEvent,
} from '../../contract/payment-request-events.js';

/** When requests of the builder are born; block 0 has this timestamp and a block comes every ten seconds. */
export const CREATED = new Date('2026-03-01T12:00:00.000Z');
export const WINDOW_SECONDS = 480;
export const GRACE_SECONDS = 60;
export const LAST_BLOCK = (WINDOW_SECONDS + GRACE_SECONDS) / 10;
export const LAST_OTHER_BLOCK = (WINDOW_SECONDS + OTHER_GRACE_SECONDS) / 10;

export function timeOf(block: number): Date {
  return new Date(CREATED.getTime() + block * 10_000);
}

export function someFacts(referenceId?: string) {
  return {
    id: newId<PaymentRequest['id']>(),
    organizationId: newId<PaymentRequest['facts']['organizationId']>(),
    accountId: newId<PaymentRequest['facts']['accountId']>(),
    pointOfSaleId: newId<PaymentRequest['facts']['pointOfSaleId']>(),
    ...(referenceId === undefined ? {} : { referenceId }),
    createdAt: CREATED,
  };
}

export function selectionOf(amount: bigint, fields: Partial<Selection> = {}): Selection {
  return {
    network: NETWORK,
    uniqueAssetId: DOLLAR.uniqueAssetId,
    currency: DOLLAR.symbol,
    decimals: DOLLAR.decimals,
    amount,
    minimumAmount: 1n,
    depositAddress: {
      address: '0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead',
      derivation: { factory: '0x', implementation: '0x', homeChainId: 1 },
      settlementTermsId: newId<Selection['depositAddress']['settlementTermsId']>(),
      settlementAddress: '0x',
      feeRecipient: '0x',
      feeBasisPoints: 100,
    },
    inclusionGraceSeconds: GRACE_SECONDS,
    selectedAt: CREATED,
    ...fields,
  };
}

const address = (digits: string) => `0x${digits.repeat(20)}`;

/** Three assets to choose from: two with one address on the first network, one with a longer grace on the other. */
export function threeSelections(
  amounts: readonly [bigint, bigint, bigint],
): [Selection, Selection, Selection] {
  const dollars = selectionOf(amounts[0]);
  const other = { ...selectionOf(0n).depositAddress, address: address('9a'), feeBasisPoints: 250 };
  return [
    dollars,
    { ...dollars, uniqueAssetId: EURO.uniqueAssetId, currency: EURO.symbol, amount: amounts[1] },
    selectionOf(amounts[2], {
      network: OTHER_NETWORK,
      uniqueAssetId: OTHER_DOLLAR.uniqueAssetId,
      depositAddress: other,
      inclusionGraceSeconds: OTHER_GRACE_SECONDS,
    }),
  ];
}

export function offeredRequest(referenceId?: string): PaymentRequest {
  return PaymentRequest.openWithoutAsset(someFacts(referenceId), WINDOW_SECONDS);
}

/** A request of which these were chosen in block 2, in this order; its events about that are dropped. */
export function chosenRequest(...selections: readonly Selection[]): PaymentRequest {
  const request = offeredRequest();
  for (const selection of selections) request.select(selection, timeOf(2));
  request.pullEvents();
  return request;
}

export function stateOf(request: PaymentRequest) {
  const { status, selected, receivedAmount } = request.snapshot();
  return [status, selected?.uniqueAssetId, receivedAmount];
}

export function openRequest(amount: bigint, referenceId?: string, minimumAmount = 1n): PaymentRequest {
  return PaymentRequest.open(someFacts(referenceId), selectionOf(amount, { minimumAmount }), WINDOW_SECONDS);
}

export function transfer(
  amount: bigint,
  block: number,
  index = 0,
  uniqueAssetId = DOLLAR.uniqueAssetId,
): IncomingTransfer {
  return {
    id: newId(),
    network: NETWORK,
    kind: 'log',
    transactionHash: `0x${block.toString(16)}-${index}`,
    index,
    blockNumber: block,
    blockHash: `0x${block.toString(16)}`,
    blockTime: timeOf(block),
    uniqueAssetId,
    currency: uniqueAssetId === EURO.uniqueAssetId ? EURO.symbol : DOLLAR.symbol,
    from: `0xfrom-${block}-${index}`,
    to: '0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead',
    amount,
    decimals: DOLLAR.decimals,
    requiredConfirmations: 1,
    awaitsCrossCheck: false,
    gatheredOn: null,
  };
}

export function recorded(arrived: IncomingTransfer, counted: boolean): RecordedTransfer {
  return { ...arrived, ...NEW_TRANSFER_STATE, counted };
}

export function transferTo(
  { network, uniqueAssetId, currency, depositAddress }: Selection,
  amount: bigint,
  block: number,
  index = 0,
): IncomingTransfer {
  const to = depositAddress.address;
  return { ...transfer(amount, block, index, uniqueAssetId), network, currency, to };
}

/**
 * The network was read up to block `head`; what is at most `final` can no longer disappear.
 * @param known the newest block of which balances are known: nothing ends by the time of a later one
 */
export function progressTo(head: number, final: number | null = head, known = head): ChainProgress {
  const time = (block: number) => timeOf(Math.min(block, known));
  const block = final === null ? null : { number: final, time: time(final), safe: final, finalized: final };
  return { headTime: time(head), final: block };
}

export function readTo(head: number, final: number | null = head): Map<string, ChainProgress> {
  return new Map([[NETWORK, progressTo(head, final)]]);
}

/** Several networks, each read up to that block; a pair has the head and the final block. */
export function readOn(heads: Record<string, number | readonly [head: number, final: number | null]>) {
  return new Map(
    Object.entries(heads).map(([network, read]) => [
      network,
      typeof read === 'number' ? progressTo(read) : progressTo(...read),
    ]),
  );
}

export function crossChecked(request: PaymentRequest, transferId: string): PaymentRequest {
  const { transfers, ...state } = request.snapshot();
  const passed = transfers.map((each) =>
    each.id === transferId ? { ...each, awaitsCrossCheck: false } : each,
  );
  return PaymentRequest.restore({ ...state, transfers: passed });
}

export function newStatuses(request: PaymentRequest): string[] {
  return request.pullEvents().flatMap((event) => {
    if (event.type === 'payment_request.status_changed') return event.data.status;
    return event.type === 'payment_request.confirmed' ? 'ledger step' : [];
  });
}

export const NOW = timeOf(200);

/** The ledger's postings in its new events, without outcomes. */
export function booked(request: PaymentRequest) {
  return request
    .pullEvents()
    .filter(isBooking)
    .map(({ data, occurredAt }) => ({ ...data, occurredAt }));
}

/** Status, amount and transfer of each new event about an incoming transfer. */
export function reportedTransfers(request: PaymentRequest) {
  return request
    .pullEvents()
    .flatMap(({ type, data }) =>
      type === 'payment_request.incoming_transfer_changed'
        ? [[data.status, data.amount, data.transferId]]
        : [],
    );
}

type Booking = PaymentRequestDepositReceived | PaymentRequestCreditReversed;
function isBooking(event: PaymentRequestEvent): event is Booking {
  return ['payment_request.deposit_received', 'payment_request.credit_reversed'].includes(event.type);
}

export function paidRequest(referenceId?: string): PaymentRequest {
  const request = openRequest(100n, referenceId);
  request.recordTransfers([transfer(100n, 3)], NOW);
  request.evaluate(readTo(4), NOW);
  request.pullEvents();
  return request;
}
