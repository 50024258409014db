import { type NetworkRisk, type Risky, risksOf } from '../../domain/network-risk.js';
import type { ConfigurationReader } from './configuration-reader.js';

const ONLY_WHERE: Readonly<Record<NetworkRisk, string>> = {
  single_endpoint: 'rpc_urls names one endpoint',
  single_confirmation: 'finality is one confirmation',
};

export const ACCEPTANCES = Object.keys(ONLY_WHERE) as readonly NetworkRisk[];

/** A risk that was accepted in advance would pass unseen on the day it arises, so it is refused. */
export function readAcceptedRisks(reader: ConfigurationReader, network: Risky): ReadonlySet<NetworkRisk> {
  const risks = risksOf(network);
  const accepted = ACCEPTANCES.filter((risk) => reader.has(risk));
  for (const risk of accepted) {
    reader.text(risk, (text) => text === 'accepted', 'must be "accepted", or left out');
    if (!risks.includes(risk)) throw reader.refuse(risk, `is for a network whose ${ONLY_WHERE[risk]}`);
  }
  return new Set(accepted);
}
