import type { Finding } from '../domain/finding.js';
import type { NetworkConfiguration } from '../domain/network-configuration.js';

/** Finds all that is wrong about a network before money is sent there. Stores nothing and moves nothing. */
export abstract class ExamineNetwork {
  abstract execute(network: NetworkConfiguration): Promise<Finding[]>;
}
