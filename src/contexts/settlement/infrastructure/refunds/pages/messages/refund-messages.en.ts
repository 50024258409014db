import type { RefundTexts } from './refund-texts.js';

export const EN: RefundTexts = {
  title: (merchant) => `Refund from ${merchant}`,
  refund: 'Your refund',
  asset: 'Coin',
  network: 'Network',
  address: 'Address',
  transaction: 'Transaction',
  whereTo: 'Where should it go?',
  addressOn: (network) => `Your address on ${network}`,
  ownWallet: 'Use an address of your own that takes this coin on this network.',
  goOn: 'Continue',
  badAddress: 'This refund cannot be sent to that address. Check it, or use another one.',
  check: 'Is everything right?',
  checkNote:
    'A payment to a wrong address or network cannot be taken back. The address cannot be changed afterwards.',
  confirm: 'Yes, send it there',
  change: 'Change the address',
  waiting: 'Address received',
  waitingNote: (merchant) => `${merchant} still has to approve the refund.`,
  onItsWay: 'Your refund is on its way',
  onItsWayNote: 'It is final in a few minutes. You can close this page.',
  paid: 'Your refund has been paid',
  paidNote: 'You find it in your wallet.',
  notPaid: 'This refund was not paid',
  notPaidNote: (merchant) => `Ask ${merchant} for another one.`,
};
