import { eventTamperings } from './event-tamperings.js';
import { keyTamperings } from './key-tamperings.js';
import { ledgerTamperings } from './ledger-tamperings.js';
import { outputTamperings } from './output-tamperings.js';
import { payoutTamperings } from './payout-tamperings.js';
import { refundTamperings } from './refund-tamperings.js';
import { requestTamperings } from './request-tamperings.js';
import { sendingTamperings } from './sending-tamperings.js';
import { sentTamperings } from './sent-tamperings.js';
import { settingTamperings } from './setting-tamperings.js';
import { settlementTamperings } from './settlement-tamperings.js';
import type { Tampering } from './tampering.js';

export const tamperings: readonly Tampering[] = [
  ...ledgerTamperings,
  ...requestTamperings,
  ...outputTamperings,
  ...eventTamperings,
  ...settingTamperings,
  ...keyTamperings,
  ...sendingTamperings,
  ...refundTamperings,
  ...sentTamperings,
  ...settlementTamperings,
  ...payoutTamperings,
];
