import { credentialCommands } from './access/credential-commands.js';
import { peopleCommands } from './access/people-commands.js';
import { operatorLogCommands } from './audit/operator-log.js';
import { verifyInvariantsCommand } from './audit/verify-command.js';
import type { Command, CommandGroups } from './command.js';
import { naspipKeyCommand, reencryptSecretsCommand } from './keys/key-commands.js';
import { signingKeyCommands } from './keys/signing-key-commands.js';
import { eventDestinationCommands } from './maintenance/destination-commands.js';
import { migrateCommand } from './maintenance/migrate-command.js';
import { repairCommands } from './maintenance/repair-commands.js';
import { partitionCommands } from './maintenance/partition-commands.js';
import { walletDescriptorCommands } from './merchants/descriptor-commands.js';
import { accountCommands, organizationCommands } from './merchants/organization-commands.js';
import { pointOfSaleCommands } from './merchants/point-of-sale-commands.js';
import { settlementTermsCommands } from './merchants/settlement-terms-commands.js';
import { listAssetsCommand, failRemovedAssetRequestsCommand } from './networks/asset-commands.js';
import { networkCommands } from './networks/network-commands.js';
import { floatCommands } from './refunds/float-commands.js';
import { refundCommands } from './refunds/refund-commands.js';
import { chainCommands } from './sandbox/chain-commands.js';
import { clockCommands } from './sandbox/clock-commands.js';
import { acceptLostCommitsCommand } from './maintenance/recover-command.js';
import { sendingKeyCommands } from './senders/sender-commands.js';
import { holdCommands } from './settlement/hold-commands.js';
import { settlementCommands } from './settlement/settlement-commands.js';

export const commandGroups: CommandGroups = {
  database: [migrateCommand, ...partitionCommands],
  keys: [naspipKeyCommand, ...signingKeyCommands, reencryptSecretsCommand],
  organizations: [...organizationCommands, ...accountCommands],
  access: [...credentialCommands, ...peopleCommands],
  merchants: [...pointOfSaleCommands, ...settlementTermsCommands, ...walletDescriptorCommands],
  networks: [listAssetsCommand, failRemovedAssetRequestsCommand, ...networkCommands],
  senders: sendingKeyCommands,
  refunds: [...floatCommands, ...refundCommands],
  settlement: [...settlementCommands, ...holdCommands],
  checks: [verifyInvariantsCommand, ...operatorLogCommands],
  repair: [...repairCommands, ...eventDestinationCommands, acceptLostCommitsCommand],
  sandbox: [...chainCommands, ...clockCommands],
};

export const commands: readonly Command[] = Object.values(commandGroups).flat();
