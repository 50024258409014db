import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../shared/kernel/domain-error.js';
import { ChainFamilies } from './chain-families.js';
import type { FactoryOrder, FactoryOutcome } from './factory-deployment.js';

/** Has the network's family show what bringing its factory there takes, and send it where the order says so. */
@Injectable()
export class DeployFactoryToNetwork {
  constructor(private readonly families: ChainFamilies) {}

  /** @throws as `FactoryDeployment`; state_conflict too for a network whose family needs no factory */
  async execute(order: FactoryOrder): Promise<FactoryOutcome> {
    const { network } = order.network;
    const { deployment, name } = this.families.of(network);
    if (deployment !== null) return deployment.execute(order);
    const message = `Network ${network} is of the family ${name}, which needs no factory.`;
    throw new DomainError('conflict', 'state_conflict', message);
  }
}
