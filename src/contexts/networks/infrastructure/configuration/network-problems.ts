import { isLoopbackHost } from '#shared/kernel/ip-range.js';
import {
  type ChainRisk,
  type NetworkConfiguration,
  isPrivateHttpUrl,
  findNetworkRisks,
} from '../../domain/network-configuration.js';

const FIELDS: Readonly<Record<ChainRisk, string>> = {
  single_endpoint: 'rpc_urls',
  single_confirmation: 'finality.confirmations',
};
const RULES: Readonly<Record<ChainRisk, string>> = {
  single_endpoint: 'must name at least two endpoints',
  single_confirmation: 'must be at least two',
};

/** Each sentence names the field and the rule, but no URL. */
export function networkProblemsInProduction(networks: readonly NetworkConfiguration[]): string[] {
  return networks.flatMap((network, i) => [
    ...network.rpcUrls.flatMap((url, j) => {
      const mayBePlain = isPrivateHttpUrl(url);
      const isSafe =
        new URL(url).protocol === 'https:' || (mayBePlain && network.acceptedRisks.has('plain_endpoint'));
      const unless = mayBePlain ? ', unless "plain_endpoint" is "accepted"' : '';
      return isSafe
        ? []
        : [`networks[${i}].rpc_urls[${j}]: must be an https URL outside development${unless}.`];
    }),
    ...findNetworkRisks(network)
      .filter((risk) => !network.acceptedRisks.has(risk))
      .map(
        (risk) =>
          `networks[${i}].${FIELDS[risk]}: ${RULES[risk]} outside development, unless "${risk}" is "accepted".`,
      ),
  ]);
}

/**
 * Rejects plain HTTP to public hosts even in development: an attacker who can change a node's answers can fake
 * payments.
 */
export function networkProblemsInDevelopment(networks: readonly NetworkConfiguration[]): string[] {
  return networks.flatMap(({ rpcUrls }, i) =>
    rpcUrls.flatMap((url, j) => {
      const { protocol, hostname } = new URL(url);
      const isSafe = protocol === 'https:' || isLoopbackHost(hostname);
      return isSafe ? [] : [`networks[${i}].rpc_urls[${j}]: must be an https URL, or http to this machine.`];
    }),
  );
}
