import type { SettlementPolicy } from '../../contract/settlement-policies.js';
import { ConfigurationReader } from './configuration-reader.js';

/** Large enough batches that payments share what a transaction costs, and money that waits for minutes only. */
const DEFAULT_EVERY_SECONDS = 300;
const DEFAULT_GAS_SHARE_PERCENT = 2;
const DEFAULT_AFTER_HOURS = 168;

/** `settlement`: when what waits on a network is delivered. */
export function readSettlementPolicy(network: ConfigurationReader): SettlementPolicy {
  const path = `${network.path}.settlement`;
  const value = network.has('settlement') ? network.raw('settlement') : {};
  const keys = ['every_seconds', 'max_gas_share_percent', 'after_hours', 'paused'];
  const policy = new ConfigurationReader(value, path, [], keys);
  const paused = policy.has('paused') ? policy.raw('paused') : false;
  if (typeof paused !== 'boolean') throw policy.refuse('paused', 'must be true or false');
  return {
    everySeconds: policy.number('every_seconds', 0.1, 86_400, DEFAULT_EVERY_SECONDS),
    maxGasSharePercent: policy.number('max_gas_share_percent', 0.01, 100, DEFAULT_GAS_SHARE_PERCENT),
    afterHours: policy.number('after_hours', 0, 8_760, DEFAULT_AFTER_HOURS),
    isPaused: paused,
  };
}
