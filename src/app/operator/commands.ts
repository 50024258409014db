import { accountCommands } from './commands/account-commands.js';
import { assetCommands } from './commands/asset-commands.js';
import { auditCommands } from './commands/audit-commands.js';
import { cancelCommands } from './commands/cancel-commands.js';
import { chainCommands } from './commands/sandbox/chain-commands.js';
import { clockCommands } from './commands/sandbox/clock-commands.js';
import type { Command } from './command.js';
import { credentialCommands } from './commands/credential-commands.js';
import { holdCommands } from './commands/hold-commands.js';
import { keyCommands } from './commands/key-commands.js';
import { networkCommands } from './commands/network-commands.js';
import { organizationCommands } from './commands/organization-commands.js';
import { installationCommands } from './commands/installation-commands.js';
import { parkedEventCommands } from './commands/parked-event-commands.js';
import { parkedRequestCommands } from './commands/parked-request-commands.js';
import { peopleCommands } from './commands/people-commands.js';
import { pointOfSaleCommands } from './commands/point-of-sale-commands.js';
import { refundCommands } from './commands/refund-commands.js';
import { senderCommands } from './commands/sender-commands.js';
import { signingKeyCommands } from './commands/signing-key-commands.js';
import { settlementCommands } from './commands/settlement-commands.js';
import { settlementTermsCommands } from './commands/settlement-terms-commands.js';
import { verifyCommand } from './commands/verify-command.js';

/** All operator commands, in the order of the usage. */
export const commands: Command[] = [
  ...installationCommands,
  ...signingKeyCommands,
  ...keyCommands,
  ...organizationCommands,
  ...accountCommands,
  ...credentialCommands,
  ...peopleCommands,
  ...pointOfSaleCommands,
  ...settlementTermsCommands,
  ...assetCommands,
  ...networkCommands,
  ...senderCommands,
  ...refundCommands,
  ...cancelCommands,
  ...settlementCommands,
  ...holdCommands,
  verifyCommand,
  ...auditCommands,
  ...parkedEventCommands,
  ...parkedRequestCommands,
  ...chainCommands,
  ...clockCommands,
];
