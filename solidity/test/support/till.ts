import { getAddress, zeroAddress, type Abi, type Address, type Hex } from 'viem';
import { encodeFunctionData } from 'viem';
import { testContract, type Deployable } from '#chains/evm/testing/chain-contracts.js';
import {
  deployFactory,
  derive,
  mintData,
  native,
  outcomes,
  settleData,
  tokenBalance,
  type GasLimits,
  type Group,
  type Terms,
} from './forwarders.js';
import { TEST_CHAIN_ID } from '#test/support/chain.js';
import { startWorld } from './world.js';

export const merchant = getAddress('0x5e771e5e771e5e771e5e771e5e771e5e771e5e77');
export const operator = getAddress('0xfee0fee0fee0fee0fee0fee0fee0fee0fee0fee0');

/** The order of `Mode` in `Hostile.sol`. */
export const modes = [
  'Well',
  'SayNothing',
  'SayFalse',
  'SayFalseYetMove',
  'TakeFee',
  'BurnGas',
  'Bomb',
  'Reenter',
  'BurnOnBalance',
  'BombOnBalance',
  'SayTrueYetStay',
  'SayTwo',
  'SayShort',
  'SayMuch',
  'Hook',
  'GiveBack',
] as const;
export type Mode = (typeof modes)[number];

export type Till = Awaited<ReturnType<typeof openTill>>;

/** A chain with the factory, a hostile token, and payments into fresh forwarders. */
export async function openTill() {
  const [hostileToken, hostileRecipient] = [testContract('HostileToken'), testContract('HostileRecipient')];
  const hostile: Record<string, Deployable> = {
    HostileToken: hostileToken,
    HostileRecipient: hostileRecipient,
  };
  const world = await startWorld();
  const factory = await deployFactory(world);
  const token = await world.deploy(hostileToken);
  let issued = 0;

  const fresh = (terms: Partial<Terms> = {}): { terms: Terms; salt: Hex; address: Address } => {
    const whole: Terms = {
      settlement: merchant,
      feeRecipient: operator,
      feeBasisPoints: 100,
      homeChainId: BigInt(TEST_CHAIN_ID),
      ...terms,
    };
    if (whole.feeBasisPoints === 0) whole.feeRecipient = zeroAddress;
    const salt: Hex = `0x${(++issued).toString(16).padStart(32, '0')}${'00'.repeat(16)}`;
    return { terms: whole, salt, address: derive(whole, salt) };
  };
  const act = (to: Address, contract: string, functionName: string, args: unknown[]) =>
    world.send({ to, data: encodeFunctionData({ abi: hostile[contract]!.abi as Abi, functionName, args }) });

  return {
    world,
    factory,
    token,
    fresh,
    act,
    hostileRecipient: () => world.deploy(hostileRecipient),
    setToken: (mode: Mode) => act(token, 'HostileToken', 'set', [modes.indexOf(mode)]),
    setRecipient: (at: Address, mode: Mode) => act(at, 'HostileRecipient', 'set', [modes.indexOf(mode)]),
    reentered: (at: Address, contract: string) =>
      world.client.readContract({
        address: at,
        abi: hostile[contract]!.abi as Abi,
        functionName: 'reentered',
      }),
    async pay(to: Address, asset: Address, amount: bigint) {
      if (asset === native) await world.send({ to, value: amount });
      else await world.send({ to: asset, data: mintData(to, amount) });
    },
    balance: (owner: Address, asset: Address) => tokenBalance(world, asset, owner),
    async settle(
      groups: Group[],
      options: { limits?: Partial<GasLimits>; gas?: bigint; from?: Address } = {},
    ) {
      const { limits, ...rest } = options;
      const receipt = await world.send({ to: factory, data: settleData(groups, limits), ...rest });
      return { status: receipt.status, outcomes: outcomes(receipt, factory) };
    },
  };
}

/** One forwarder and token as a batch of its own. */
export function only(forwarder: { terms: Terms; salt: Hex }, token: Address, undeployed = false): Group {
  return { terms: forwarder.terms, token, undeployed, salts: [forwarder.salt] };
}
