import { accountCommands } from './account-commands.js';
import { assetCommands } from './asset-commands.js';
import { auditCommands } from './audit-commands.js';
import { chainCommands } from './chain-commands.js';
import { clockCommands } from './clock-commands.js';
import type { Command } from './command.js';
import { credentialCommands } from './credential-commands.js';
import { holdCommands } from './hold-commands.js';
import { keyCommands } from './key-commands.js';
import { networkCommands } from './network-commands.js';
import { organizationCommands } from './organization-commands.js';
import { installationCommands } from './installation-commands.js';
import { parkedEventCommands } from './parked-event-commands.js';
import { parkedRequestCommands } from './parked-request-commands.js';
import { peopleCommands } from './people-commands.js';
import { pointOfSaleCommands } from './point-of-sale-commands.js';
import { refundCommands } from './refund-commands.js';
import { senderCommands } from './sender-commands.js';
import { signingKeyCommands } from './signing-key-commands.js';
import { settlementCommands } from './settlement-commands.js';
import { settlementTermsCommands } from './settlement-terms-commands.js';
import { verifyCommand } from './verify-command.js';

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
  ...settlementCommands,
  ...holdCommands,
  verifyCommand,
  ...auditCommands,
  ...parkedEventCommands,
  ...parkedRequestCommands,
  ...chainCommands,
  ...clockCommands,
];
