import { credentialCommands } from './access/credential-commands.js';
import { peopleCommands } from './access/people-commands.js';
import { auditCommands } from './audit/operator-log.js';
import { verifyCommand } from './audit/verify-command.js';
import type { Command, CommandGroups } from './command.js';
import { naspipKeyCommand, rotateKeysCommand } from './keys/key-commands.js';
import { signingKeyCommands } from './keys/signing-key-commands.js';
import { destinationCommands } from './maintenance/destination-commands.js';
import { migrateCommand } from './maintenance/migrate-command.js';
import { repairCommands } from './maintenance/repair-commands.js';
import { partitionCommands } from './maintenance/partition-commands.js';
import { descriptorCommands } from './merchants/descriptor-commands.js';
import { accountCommands, organizationCommands } from './merchants/organization-commands.js';
import { pointOfSaleCommands } from './merchants/point-of-sale-commands.js';
import { settlementTermsCommands } from './merchants/settlement-terms-commands.js';
import { listAssetsCommand, withdrawAssetCommand } from './networks/asset-commands.js';
import { networkCommands } from './networks/network-commands.js';
import { floatCommands } from './refunds/float-commands.js';
import { refundCommands } from './refunds/refund-commands.js';
import { chainCommands } from './sandbox/chain-commands.js';
import { clockCommands } from './sandbox/clock-commands.js';
import { recoverCommand } from './maintenance/recover-command.js';
import { senderCommands } from './senders/sender-commands.js';
import { holdCommands } from './settlement/hold-commands.js';
import { settlementCommands } from './settlement/settlement-commands.js';

export const commandGroups: CommandGroups = {
  database: [migrateCommand, ...partitionCommands],
  keys: [naspipKeyCommand, ...signingKeyCommands, rotateKeysCommand],
  organizations: [...organizationCommands, ...accountCommands],
  access: [...credentialCommands, ...peopleCommands],
  merchants: [...pointOfSaleCommands, ...settlementTermsCommands, ...descriptorCommands],
  networks: [listAssetsCommand, withdrawAssetCommand, ...networkCommands],
  senders: senderCommands,
  refunds: [...floatCommands, ...refundCommands],
  settlement: [...settlementCommands, ...holdCommands],
  checks: [verifyCommand, ...auditCommands],
  repair: [...repairCommands, ...destinationCommands, recoverCommand],
  sandbox: [...chainCommands, ...clockCommands],
};

export const commands: readonly Command[] = Object.values(commandGroups).flat();
