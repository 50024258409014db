import type { DomainEvent } from '#shared/kernel/domain-event.js';
import { newId } from '#shared/kernel/ids.js';
import type { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import type { SettledAddress } from '#contexts/settlement/contract/settlement-events.js';
import type { Movement } from '../domain/movement.js';
import { serviceFee } from '../domain/service-fee.js';
import { bookedEvent, confirmedPayment, receivedDeposit, reversalOf } from './movements.js';
import { AnySending } from './any-sending.js';
import { anOwner, emptied, settlementEvent, type Owner } from './source-events.js';

type Booked = ReturnType<typeof confirmedPayment> | ReturnType<typeof receivedDeposit>;

/** A deposit address, what it holds on the chain, and what came there and is not booked. */
interface Place {
  readonly paymentRequestId: string;
  readonly address: string;
  readonly feeBasisPoints: number;
  /** Present where it is of the merchant's own wallet: nothing is settled. */
  readonly delivered?: true;
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

/** The balances that the one account's books must show. */
export interface Expected {
  readonly custody: bigint;
  readonly inFlight: bigint;
  readonly delivered: bigint;
  readonly feesDelivered: bigint;
  readonly serviceFees: bigint;
  readonly float: bigint;
  readonly floatOfCoin: bigint;
  readonly gasSpent: bigint;
  /** Money that came and stands, of it what came to the merchant's own wallet. */
  readonly came: bigint;
  readonly cameToWallet: bigint;
}

const total = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);

/**
 * Any history of one account's money: it comes to addresses, is booked now or later, in any order, disappears again; is
 * settled, booked or not; settlements end, fail, and what they took is settled again; a float is topped up, refunds, is
 * withdrawn from; the merchant's own wallet receives and refunds.
 */
export class AnyMoney {
  readonly owner: Owner = anOwner();
  private readonly places: Place[];
  private readonly settlements: Settlement[] = [];
  private readonly sending: AnySending;
  private fees = 0n;
  private came = 0n;
  private cameToWallet = 0n;

  constructor(private readonly random: SeededRandom) {
    const isMixed = random.chance(0.5);
    this.places = Array.from({ length: random.whole(1, 3) }, (_, n) => ({
      paymentRequestId: newId<string>(),
      address: `0x3c44cdddb6a900fa2b585dd299e03d12fa4293b${n}`,
      feeBasisPoints: random.chance(0.3) || (isMixed && n === 0) ? 0 : random.whole(1, 10_000),
      ...(isMixed && n === 0 && { delivered: true as const }),
      holds: 0n,
      unbooked: [],
      booked: [],
      isPaid: false,
    }));
    this.sending = new AnySending(random, this.owner, this.places[0]!);
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
      custody: this.came - this.cameToWallet - grossOf(of('processing', 'completed')),
      delivered: this.cameToWallet - this.sending.refundedByMerchant,
      inFlight: grossOf(of('processing')),
      feesDelivered: total(
        of('completed').flatMap(({ addresses }) => addresses.map(({ toFee }) => BigInt(toFee))),
      ),
      serviceFees: -this.fees,
      float: this.sending.float,
      floatOfCoin: this.sending.floatOfCoin,
      gasSpent: this.sending.gasSpent,
      came: this.came,
      cameToWallet: this.cameToWallet,
    };
  }

  /** The chain's balances at the addresses that are settled, and the money that came there and is not booked. */
  get onChain(): { readonly holds: bigint; readonly unbooked: bigint } {
    const settled = this.places.filter(({ delivered }) => delivered === undefined);
    const unbooked = total(settled.flatMap((place) => place.unbooked));
    return { holds: total(settled.map(({ holds }) => holds)), unbooked };
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
        return this.sending.step();
    }
  }

  private book(place: Place, amount: bigint): DomainEvent {
    const { paymentRequestId, address: to, feeBasisPoints, delivered } = place;
    const facts = {
      ...this.owner,
      paymentRequestId: paymentRequestId as never,
      to,
      feeBasisPoints,
      delivered,
    };
    const booked = place.isPaid
      ? receivedDeposit({ ...facts, amount })
      : confirmedPayment({ ...facts, receivedAmount: amount });
    place.isPaid = true;
    place.booked.push(booked);
    this.came += amount;
    if (delivered) this.cameToWallet += amount;
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
    if (place.delivered) this.cameToWallet -= amount;
    this.fees -= serviceFee(amount, place.feeBasisPoints);
    return [this.happened(reversalOf(booked))];
  }

  private settle(places: readonly Place[]): DomainEvent[] {
    const full = places.filter(({ holds, delivered }) => holds > 0n && delivered === undefined);
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

  private happened(movement: Movement): DomainEvent {
    return bookedEvent(movement, new Date());
  }
}

function toBoth({ toSettlement, toFee }: SettledAddress): bigint {
  return BigInt(toSettlement) + BigInt(toFee);
}
