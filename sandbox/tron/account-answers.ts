import type { Json } from './protobuf.js';
import type { TronChain } from './tron-chain.js';
import { FREE_BANDWIDTH } from './tron-resources.js';

/** Energy of all staked TRX within a day, and that stake in TRX. */
const TOTAL_ENERGY = 180_000_000_000;
const TOTAL_ENERGY_WEIGHT = 19_000_000_000;
const TOTAL_BANDWIDTH = 43_200_000_000;
const TOTAL_BANDWIDTH_WEIGHT = 27_000_000_000;

/** @param block number of the block whose state counts. Default: the newest */
export async function accountAnswer(chain: TronChain, address: string, block?: number): Promise<Json> {
  const balance = await chain.anvil.balance(address, block);
  const isContract = (await chain.anvil.code(address)) !== '0x';
  if (balance === 0 && !isContract) return {};
  const energy = chain.resources.energyLimit(address);
  return {
    ...{ address, balance, create_time: 0 },
    ...(isContract && { type: 'Contract' }),
    account_resource: {
      ...(energy > 0 && {
        acquired_delegated_frozenV2_balance_for_energy: Math.round(
          (energy * TOTAL_ENERGY_WEIGHT * 1_000_000) / TOTAL_ENERGY,
        ),
      }),
    },
  };
}

export async function accountResourceAnswer(chain: TronChain, address: string): Promise<Json> {
  const { resources, newest } = chain;
  const [energy, used] = [resources.energyLimit(address), resources.usedEnergy(address, newest.timestamp)];
  const bandwidth = resources.usedBandwidth(address, newest.timestamp);
  if (energy === 0 && (await chain.anvil.balance(address)) === 0) return {};
  return {
    ...(bandwidth > 0 && { freeNetUsed: bandwidth }),
    freeNetLimit: FREE_BANDWIDTH,
    TotalNetLimit: TOTAL_BANDWIDTH,
    TotalNetWeight: TOTAL_BANDWIDTH_WEIGHT,
    ...(used > 0 && { EnergyUsed: used }),
    ...(energy > 0 && { EnergyLimit: energy }),
    TotalEnergyLimit: TOTAL_ENERGY,
    TotalEnergyWeight: TOTAL_ENERGY_WEIGHT,
  };
}

/** @param withState answers `getcontractinfo` */
export async function contractAnswer(chain: TronChain, address: string, withState: boolean): Promise<Json> {
  const code = await chain.anvil.code(address);
  if (code === '0x') return {};
  const contract = {
    contract_address: address,
    bytecode: code.slice(2),
    consume_user_resource_percent: 100,
  };
  if (!withState) return contract;
  return {
    runtimecode: code.slice(2),
    smart_contract: contract,
    contract_state: { energy_factor: chain.penaltyPercent * 100 },
  };
}
