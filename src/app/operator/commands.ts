import { credentialCommands } from './access/credential-commands.js';
import { peopleCommands } from './access/people-commands.js';
import { auditCommands } from './audit/operator-log.js';
import { verifyCommand } from './audit/verify-command.js';
import type { Command } from './command.js';
import { naspipKeyCommand, rotateKeysCommand } from './keys/key-commands.js';
import { signingKeyCommands } from './keys/signing-key-commands.js';
import { destinationCommands } from './maintenance/destination-commands.js';
import { figuresCommand } from './maintenance/figures-command.js';
import { migrateCommand } from './maintenance/migrate-command.js';
import { parkedCommands } from './maintenance/parked-commands.js';
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

/** All operator commands, in the order of the usage. */
export const commands: Command[] = [
  migrateCommand,
  ...partitionCommands,
  naspipKeyCommand,
  ...signingKeyCommands,
  rotateKeysCommand,
  ...organizationCommands,
  ...accountCommands,
  ...credentialCommands,
  ...peopleCommands,
  ...pointOfSaleCommands,
  ...settlementTermsCommands,
  ...descriptorCommands,
  listAssetsCommand,
  withdrawAssetCommand,
  ...networkCommands,
  ...senderCommands,
  ...floatCommands,
  ...refundCommands,
  ...settlementCommands,
  ...holdCommands,
  verifyCommand,
  ...auditCommands,
  ...parkedCommands,
  figuresCommand,
  ...destinationCommands,
  recoverCommand,
  ...chainCommands,
  ...clockCommands,
];
