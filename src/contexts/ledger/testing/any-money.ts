import type { DomainEvent } from '#shared/kernel/domain-event.js';
import { newId } from '#shared/kernel/ids.js';
import type { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import type { SettledAddress } from '#contexts/settlement/contract/settlement-events.js';
import type { Movement } from '../domain/movement.js';
import { serviceFee } from '../domain/service-fee.js';
import { bookedEvent, confirmedPayment, receivedDeposit, reversalOf } from './movements.js';
import {
  anOwner,
  COIN,
  emptied,
  floatWithdrawalEvent,
  refundEvent,
  settlementEvent,
  topUpEvent,
  type Owner,
} from './source-events.js';

type Booked = ReturnType<typeof confirmedPayment> | ReturnType<typeof receivedDeposit>;

/** A deposit address, what it holds on the chain, and what came there and is not booked. */
interface Place {
  readonly paymentRequestId: string;
  readonly address: string;
  readonly feeBasisPoints: number;
  holds: bigint;
  readonly unbooked: bigint[];
  readonly booked: Booked[];
  isPaid: boolean;
}

interface Settlement {
  readonly id: string;
  readonly addresses: readonly SettledAddress[];
  status: 'processing' | 'completed' | 'failed';
}

interface FromFloat {
  readonly id: string;
  readonly amount: bigint;
  readonly statusEvent: (status: 'processing' | 'completed' | 'failed', gas?: bigint) => DomainEvent;
}

/** The balances that the one account's books must show. */
export interface Expected {
  readonly custody: bigint;
  readonly inFlight: bigint;
  readonly feesDelivered: bigint;
  readonly serviceFees: bigint;
  readonly float: bigint;
  readonly floatOfCoin: bigint;
  readonly gasSpent: bigint;
  /** Money that came and stands. */
  readonly came: bigint;
}

const total = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);

/**
 * Any history of one account's money: it comes to addresses, is booked now or later, in any order, disappears again; is
 * settled, booked or not; settlements end, fail, and what they took is settled again; a float is topped up, refunds, is
 * withdrawn from.
 */
export class AnyMoney {
  readonly owner: Owner = anOwner();
  private readonly places: Place[];
  private readonly settlements: Settlement[] = [];
  private readonly sending: FromFloat[] = [];
  private fees = 0n;
  private came = 0n;
  private float = 0n;
  private floatOfCoin = 0n;
  private gasSpent = 0n;

  constructor(private readonly random: SeededRandom) {
    this.places = Array.from({ length: random.whole(1, 3) }, (_, n) => ({
      paymentRequestId: newId<string>(),
      address: `0x3c44cdddb6a900fa2b585dd299e03d12fa4293b${n}`,
      feeBasisPoints: random.chance(0.3) ? 0 : random.whole(1, 10_000),
      holds: 0n,
      unbooked: [],
      booked: [],
      isPaid: false,
    }));
  }

  /** Some events that happen next; often one, sometimes none or many. */
  step(): DomainEvent[] {
    return Array.from({ length: this.random.whole(1, 4) }, () => this.one()).flat();
  }

  /** All that came is booked, all that lies is delivered, and nothing is under way. */
  ending(): DomainEvent[] {
    const events = this.places.flatMap((place) =>
      place.unbooked.splice(0).map((one) => this.book(place, one)),
    );
    const settled = this.settle(this.places);
    const ended = this.settlements.filter(({ status }) => status === 'processing');
    return [...events, ...settled, ...ended.map((settlement) => this.move(settlement, 'completed'))];
  }

  expected(): Expected {
    const grossOf = (settlements: readonly Settlement[]) =>
      total(settlements.flatMap(({ addresses }) => addresses.flatMap((each) => [toBoth(each)])));
    const of = (...statuses: Settlement['status'][]) =>
      this.settlements.filter(({ status }) => statuses.includes(status));
    return {
      custody: this.came - grossOf(of('processing', 'completed')),
      inFlight: grossOf(of('processing')),
      feesDelivered: total(
        of('completed').flatMap(({ addresses }) => addresses.map(({ toFee }) => BigInt(toFee))),
      ),
      serviceFees: -this.fees,
      float: this.float,
      floatOfCoin: this.floatOfCoin,
      gasSpent: this.gasSpent,
      came: this.came,
    };
  }

  /** The chain's balances at the addresses, and the money that came and is not booked. */
  get onChain(): { readonly holds: bigint; readonly unbooked: bigint } {
    const unbooked = total(this.places.flatMap((place) => place.unbooked));
    return { holds: total(this.places.map(({ holds }) => holds)), unbooked };
  }

  private one(): DomainEvent[] {
    const place = this.places[this.random.whole(0, this.places.length - 1)]!;
    switch (this.random.whole(0, 8)) {
      case 0:
      case 1: {
        const amount = this.random.bits(this.random.whole(1, 40)) + 1n;
        place.holds += amount;
        place.unbooked.push(amount);
        return this.random.chance(0.5) ? [this.book(place, place.unbooked.pop()!)] : [];
      }
      case 2: {
        const [next] = place.unbooked.splice(this.random.whole(0, place.unbooked.length), 1);
        return next === undefined ? [] : [this.book(place, next)];
      }
      case 3:
        return this.reverse(place);
      case 4:
        return this.settle(this.places.filter(() => this.random.chance(0.6)));
      case 5:
      case 6: {
        const left = this.settlements.filter(({ status }) => status !== 'failed');
        const settlement = left[this.random.whole(0, left.length)];
        if (settlement === undefined) return [];
        const fails = settlement.status === 'completed' || this.random.chance(0.3);
        return [this.move(settlement, fails ? 'failed' : 'completed')];
      }
      default:
        return this.ofFloat();
    }
  }

  private book(place: Place, amount: bigint): DomainEvent {
    const { paymentRequestId, address: to, feeBasisPoints } = place;
    const facts = { ...this.owner, paymentRequestId: paymentRequestId as never, to, feeBasisPoints };
    const booked = place.isPaid
      ? receivedDeposit({ ...facts, amount })
      : confirmedPayment({ ...facts, receivedAmount: amount });
    place.isPaid = true;
    place.booked.push(booked);
    this.came += amount;
    this.fees += serviceFee(amount, feeBasisPoints);
    return this.happened(booked);
  }

  /** Only what lies there can disappear. */
  private reverse(place: Place): DomainEvent[] {
    const booked = place.booked.at(-1);
    if (booked === undefined) return [];
    const amount = booked.type === 'deposit' ? booked.amount : booked.receivedAmount;
    if (amount > place.holds) return [];
    place.booked.pop();
    place.holds -= amount;
    this.came -= amount;
    this.fees -= serviceFee(amount, place.feeBasisPoints);
    return [this.happened(reversalOf(booked))];
  }

  private settle(places: readonly Place[]): DomainEvent[] {
    const full = places.filter(({ holds }) => holds > 0n);
    if (full.length === 0) return [];
    const addresses = full.map((place) => {
      const taken = emptied(place, place.holds, place.feeBasisPoints);
      place.holds = 0n;
      return this.random.chance(0.9) ? taken : { ...taken, toSettlement: `${toBoth(taken)}`, toFee: '0' };
    });
    const settlement: Settlement = { id: newId(), addresses, status: 'processing' };
    this.settlements.push(settlement);
    return [settlementEvent(this.owner, settlement.id, 'processing', addresses)];
  }

  private move(settlement: Settlement, status: 'completed' | 'failed'): DomainEvent {
    settlement.status = status;
    if (status === 'failed')
      for (const each of settlement.addresses)
        this.places.find(({ address }) => address === each.address)!.holds += toBoth(each);
    return settlementEvent(this.owner, settlement.id, status, settlement.addresses);
  }

  private ofFloat(): DomainEvent[] {
    const choice = this.random.whole(0, 3);
    const amount = this.random.bits(30) + 1n;
    if (choice === 0) {
      this.float += amount;
      return [topUpEvent(this.owner, { amount: `${amount}` })];
    }
    if (choice === 1) {
      this.floatOfCoin += amount;
      return [topUpEvent(this.owner, { amount: `${amount}`, uniqueAssetId: COIN })];
    }
    const sent = this.sending.pop();
    if (choice === 2 || sent === undefined) return [this.send(amount), ...(sent ? [this.ended(sent)] : [])];
    return [this.ended(sent)];
  }

  private send(amount: bigint): DomainEvent {
    const id = newId<string>();
    const paymentRequestId = this.places[0]!.paymentRequestId;
    const isRefund = this.random.chance(0.7);
    const statusEvent: FromFloat['statusEvent'] = (status, gas) => {
      const facts = {
        status,
        amount: `${amount}`,
        gas: gas === undefined ? undefined : { uniqueAssetId: COIN, amount: `${gas}` },
      };
      return isRefund
        ? refundEvent(this.owner, id, { ...facts, paymentRequestId })
        : floatWithdrawalEvent(this.owner, id, facts);
    };
    this.sending.push({ id, amount, statusEvent });
    return statusEvent('processing');
  }

  private ended({ amount, statusEvent }: FromFloat): DomainEvent {
    const gas = this.random.chance(0.8) ? this.random.bits(20) : undefined;
    const fails = this.random.chance(0.3);
    if (!fails) this.float -= amount;
    this.floatOfCoin -= gas ?? 0n;
    this.gasSpent += gas ?? 0n;
    return statusEvent(fails ? 'failed' : 'completed', gas);
  }

  private happened(movement: Movement): DomainEvent {
    return bookedEvent(movement, new Date());
  }
}

function toBoth({ toSettlement, toFee }: SettledAddress): bigint {
  return BigInt(toSettlement) + BigInt(toFee);
}
