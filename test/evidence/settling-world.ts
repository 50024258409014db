import { encodeFunctionData, getAddress, type Abi, type Address, type Hex } from 'viem';
import type { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import {
  artifacts,
  deployment,
  derive,
  native,
  settleData,
  type Group,
  type Terms,
} from '../../solidity/test/support/forwarders.js';
import { modes, type Mode, type Till } from '../../solidity/test/support/till.js';

type Forwarder = ReturnType<Till['fresh']>;
type Balances = ReadonlyMap<Address, readonly [bigint, bigint]>;

/** Where the hostile token sends what it keeps of a transfer. */
const TOKENS_OWN_FEE: Address = getAddress(`0x${'dead'.padStart(40, '0')}`);
const STRANGERS: readonly Address[] = ['57', '58', '59'].map((digits) =>
  getAddress(`0x${digits.repeat(20)}`),
);
const PLAIN: readonly Address[] = ['a1', 'a2', 'a3'].map((digits) => getAddress(`0x${digits.repeat(20)}`));
const RECIPIENT_MODES = [
  'Well',
  'Well',
  'SayFalse',
  'BurnGas',
  'Bomb',
  'SayNothing',
  'Reenter',
  'GiveBack',
] as const;
/** Where what an address pays out is not what its recipients keep, or the token lies about what it moved. */
const NOT_AS_SENT: ReadonlySet<Mode> = new Set(['GiveBack', 'SayTrueYetStay']);

/** Deposit addresses of many terms, with everybody who may claim their money. */
export class SettlingWorld {
  private constructor(
    private readonly till: Till,
    private readonly random: SeededRandom,
    private readonly hostile: readonly Address[],
    private readonly forwarders: readonly Forwarder[],
  ) {}

  static async open(till: Till, random: SeededRandom): Promise<SettlingWorld> {
    for (const stranger of STRANGERS) {
      await till.world.fund(stranger);
      await till.world.control.impersonateAccount({ address: stranger });
    }
    const hostile = [await till.hostileRecipient(), await till.hostileRecipient()];
    const recipients = [...PLAIN, ...hostile];
    const forwarders = Array.from({ length: 8 }, () => {
      const [settlement, feeRecipient] = random.shuffled(recipients) as [Address, Address];
      const feeBasisPoints = random.chance(0.3) ? 0 : random.wholeNumber(1, 10_000);
      return till.fresh({ settlement, feeRecipient, feeBasisPoints });
    });
    return new SettlingWorld(till, random, hostile, forwarders);
  }

  /** Pays, lets everybody misbehave in drawn ways, settles a drawn batch, and compares all balances before and after. */
  async round() {
    const { till, random } = this;
    const scene = await this.setScene();
    const { groups, listed } = this.batch();
    const from = random.chance(0.5) ? undefined : this.oneOf(STRANGERS);
    const before = await this.balances();
    await till.setToken(scene[0]!);

    const { outcomes } = await till.settle(groups, {
      ...{ limits: this.limits(), gas: BigInt(random.wholeNumber(2_000_000, 12_000_000)) },
      ...(from && { from }),
    });

    await till.setToken('Well');
    const after = await this.balances();
    const change = (address: Address, asset: number) =>
      after.get(address)![asset]! - before.get(address)![asset]!;
    const assets = [0, 1];
    const named = new Set(listed.flatMap(({ terms }) => [terms.settlement, terms.feeRecipient]));
    const isAsSent = !scene.some((mode) => NOT_AS_SENT.has(mode));
    const settled = outcomes.filter(({ name }) => name === 'Settled');
    const recordedOf = (address: Address, asset: number) =>
      settled
        .filter(({ args }) => args.forwarder === address && (args.token === native) === (asset === 0))
        .map(({ args }) => (args.toSettlement as bigint) + (args.toFee as bigint));
    const everyAsset = <T>(of: readonly T[], isWrong: (one: T, asset: number) => boolean) =>
      assets.flatMap((asset) => of.filter((one) => isWrong(one, asset)));
    return {
      scene,
      names: outcomes.map(({ name }) => name),
      losses: assets.map((asset) => this.holders().reduce((sum, holder) => sum + change(holder, asset), 0n)),
      strangersGained: everyAsset(this.strangers(), (one, asset) => change(one, asset) > 0n),
      unnamedGained: everyAsset(
        this.recipients(),
        (one, asset) => !named.has(one) && change(one, asset) > 0n,
      ),
      unrecorded: everyAsset(
        this.addresses(),
        (one, asset) => isAsSent && recordedOf(one, asset).length === 0 && change(one, asset) !== 0n,
      ),
      misrecorded: everyAsset(this.addresses(), (one, asset) => {
        const recorded = recordedOf(one, asset);
        return isAsSent && recorded.length > 0 && sum(recorded) !== -change(one, asset);
      }),
      reentered: await this.reentered(),
    };
  }

  private async setScene(): Promise<Mode[]> {
    const { till, random } = this;
    for (const forwarder of random.shuffled(this.forwarders).slice(0, 4)) {
      const asset = random.chance(0.5) ? native : till.token;
      await till.pay(forwarder.address, asset, random.chance(0.1) ? 0n : random.bits(40));
    }
    const scene: Mode[] = [random.chance(0.6) ? 'Well' : this.oneOf(modes)];
    await till.act(till.token, 'HostileToken', 'setCall', this.attempt());
    for (const recipient of this.hostile) {
      const mode = this.oneOf(RECIPIENT_MODES);
      await till.act(recipient, 'HostileRecipient', 'setCall', this.attempt());
      await till.setRecipient(recipient, mode);
      scene.push(mode);
    }
    return scene;
  }

  /** Somebody who is called in the middle tries these: each must fail. */
  private attempt(): [Address, Hex] {
    const { till, random } = this;
    const forwarder = this.oneOf(this.forwarders);
    const payout = { abi: artifacts.Forwarder.abi as Abi, functionName: 'settle' };
    const creation = { abi: artifacts.ForwarderFactory.abi as Abi, functionName: 'deploy' };
    const small = { reading: 10_000n, payout: 20_000n, creation: 0n, reserve: 0n };
    return this.oneOf<[Address, Hex]>([
      [till.factory, settleData(this.batch().groups, small)],
      [
        deployment.implementation as Address,
        encodeFunctionData({ ...payout, args: [native, random.bits(40), 0n] }),
      ],
      [till.factory, encodeFunctionData({ ...creation, args: [forwarder.salt, '0x33ff'] })],
    ]);
  }

  /** Genuine terms, several times over, beside forged ones for the same salts. */
  private batch(): { groups: Group[]; listed: Forwarder[] } {
    const { till, random } = this;
    const listed = Array.from({ length: random.wholeNumber(1, 5) }, () => this.oneOf(this.forwarders));
    const groups = listed.map(({ terms, salt }): Group => ({
      ...{ terms, token: random.chance(0.5) ? native : till.token, undeployed: random.chance(0.3) },
      salts: Array.from({ length: random.wholeNumber(1, 2) }, () => salt),
    }));
    const { terms, salt } = this.oneOf(this.forwarders);
    const forged: Terms = this.oneOf([
      { ...terms, settlement: this.oneOf(STRANGERS) },
      { ...terms, feeRecipient: this.oneOf(STRANGERS), feeBasisPoints: 10_000 },
      { ...terms, feeBasisPoints: 10_001 },
      { ...terms, homeChainId: 1n },
    ]);
    const forgery = {
      terms: forged,
      token: random.chance(0.5) ? native : till.token,
      undeployed: false,
      salts: [salt],
    };
    return { groups: random.shuffled([...groups, forgery]), listed };
  }

  private limits() {
    const { random } = this;
    const payout = random.chance(0.7) ? 900_000n : BigInt(random.wholeNumber(0, 900_000));
    const creation = random.chance(0.8) ? 60_000n : BigInt(random.wholeNumber(0, 60_000));
    return { payout, creation, fee: BigInt(random.wholeNumber(0, 300_000)) };
  }

  private async balances(): Promise<Balances> {
    const all = [...this.holders(), ...this.strangers()];
    const pairs = all.map(async (address) => {
      const both = [native, this.till.token].map((asset) => this.till.balance(address, asset));
      return [address, (await Promise.all(both)) as [bigint, bigint]] as const;
    });
    return new Map(await Promise.all(pairs));
  }

  /** A hostile call that got through would set this. */
  private async reentered(): Promise<boolean> {
    const { till } = this;
    const pending = [
      till.reentered(till.token, 'HostileToken'),
      ...this.hostile.map((each) => till.reentered(each, 'HostileRecipient')),
    ];
    return (await Promise.all(pending)).includes(true);
  }

  private addresses = (): Address[] => this.forwarders.map(({ address }) => address);
  private recipients = (): Address[] => [...PLAIN, ...this.hostile];
  private holders = (): Address[] => [...this.addresses(), ...this.recipients(), TOKENS_OWN_FEE];

  /** With the addresses that forged terms would have, and the contracts themselves. */
  private strangers(): Address[] {
    const forged = this.forwarders.flatMap(({ terms, salt }) =>
      STRANGERS.map((settlement) => derive({ ...terms, settlement }, salt)),
    );
    return [
      ...STRANGERS,
      this.till.factory,
      deployment.implementation as Address,
      this.till.token,
      ...forged,
    ];
  }

  private oneOf<T>(items: readonly T[]): T {
    return items[this.random.wholeNumber(0, items.length - 1)]!;
  }
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
