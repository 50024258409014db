/** Texts of the payer's pages. Every other language has the same keys, or does not compile. */
export const english = {
  sandbox: 'Sandbox',
  sandboxNote: 'This is a test network. The money here is play money.',
  title: (what: string, merchant: string): string => `${what} · ${merchant}`,
  toPay: (amount: string): string => `Pay ${amount}`,
  amountToPay: 'Amount to pay',
  onNetwork: (network: string): string => `on ${network}`,
  rate: (symbol: string, rate: string): string => `1 ${symbol} = ${rate}, fixed for this payment`,
  exactly: 'Send exactly this amount. Network or exchange fees come on top.',
  timeLeft: 'Time left',
  lastMinute: 'One minute left to pay.',

  choose: 'Choose what you pay with',
  chooseNote: 'You can change it until a payment is seen.',
  chooseAnother: 'Pay with something else',
  chooseAnotherNote: 'Only before you have sent anything.',
  noRate: 'No exchange rate right now',

  howToPay: 'How to pay',
  anyWallet: 'Any wallet',
  paymentCode: 'Payment code',
  thisBrowser: 'This browser',
  codeNote: 'Scan or open it with a wallet that reads payment codes. It fills in everything else by itself.',
  codeChooseNote:
    'Scan or open it with a wallet that reads payment codes. You choose there what you pay with.',
  tokenQr: (amount: string): string => `QR code for paying ${amount} with your wallet`,
  addressQr: (network: string): string => `QR code of the address on ${network}`,
  transferQr: (network: string): string => `QR code of address and amount on ${network}`,
  networkFee: (fee: string): string => `network fee ${fee}`,
  feeNow: (fee: string): string => `The network fee is ${fee} now.`,
  lessThan: (amount: string): string => `less than ${amount}`,
  onlyThis: (symbol: string, network: string): string =>
    `Send only ${symbol} on ${network} to this address. Anything else will not be recognised as this payment.`,
  openIn: (wallet: string): string => `Open in ${wallet}`,
  openAnyWallet: 'Open in a wallet on this device',
  network: 'Network',
  amount: 'Amount',
  address: 'Address',
  codeToCopy: 'Payment code as text',

  waiting: 'Waiting for your payment',
  waitingNote: (about: string): string =>
    `Once sent, it shows up here by itself and is confirmed in ${about}.`,
  pendingNote: (grace: string): string =>
    `Pay with a usual network fee. A payment seen here in time counts if a block takes it within ${grace}. With too low a fee it has one hour at most.`,
  closed: 'The time to pay is over',
  closedNote:
    'Please do not send anything now. A payment sent in time is still looked for in the last blocks.',
  partlyPaid: 'Part of the payment has arrived',
  partlyPaidNote: (missing: string): string =>
    `Please send the missing ${missing} before the time is over. Fees come on top.`,
  confirming: 'Payment seen, confirming it',
  confirmingNote: 'You need not do anything more. You can also close this page.',
  pending: 'Payment seen, waiting for its first block',
  unconfirmedNote: (merchant: string): string =>
    `You need not do anything more, and can close this page. ${merchant} is paid once the payment is confirmed.`,
  seen: 'Payment seen',
  beingConfirmed: 'Being confirmed',
  waitingForBlock: 'Waiting for its first block',
  paid: 'Paid',
  confirmations: (done: number, needed: number): string => `${done} of ${needed} confirmations`,
  expectedWait: (about: string): string => `${about} left`,
  received: 'Received',
  missing: 'Missing',
  tooMuch: 'Too much',
  transaction: 'Transaction',
  seeTransaction: (network: string): string => `See it on ${network}`,
  receipt: 'Receipt',
  paidTo: 'Paid to',
  paidFor: 'For',
  paidWith: 'Paid with',
  rateOfPayment: 'Rate',
  time: 'Time',
  reference: 'Payment number',
  print: 'Print or save',
  receiptPage: 'Receipt to keep or print',
  mailTitle: 'Receipt by mail',
  mailAddress: 'Your mail address',
  mailNote: 'One mail once the payment is final. The address is not kept afterwards.',
  mailSend: 'Send me the receipt',
  mailInvalid: 'This is not a mail address. Please check it.',
  mailAsked: 'The receipt will be sent once the payment is final. You can still correct the address.',
  mailOver: 'The receipt is sent by mail.',
  refunded: 'Refunded',
  refundOnItsWay: 'Refund on its way',

  completed: 'Payment complete',
  completedNote: (merchant: string): string => `${merchant} has received your payment. Thank you.`,
  acceptedNote: (merchant: string): string =>
    `A little is missing, and ${merchant} accepts your payment all the same. You need not send more. Thank you.`,
  overpaid: 'Paid, with more than was asked for',
  overpaidNote: (merchant: string): string =>
    `Your payment is complete. For what was too much, please ask ${merchant}.`,
  underpaid: 'Not paid in full',
  underpaidNote: (merchant: string): string =>
    `The time ended before the whole amount arrived. What you sent is recorded; please ask ${merchant} how to go on. Do not send more to this address.`,
  expired: 'The time to pay is over',
  otherAsset: (amount: string, network: string, merchant: string): string =>
    `${amount} on ${network} arrived at this address. It is recorded, but it does not count towards this payment. Contact ${merchant} to get it back.`,
  expiredNote: (merchant: string): string =>
    `No payment arrived in time. Please do not send anything now. If you have already sent something, ask ${merchant}: late payments are recorded too.`,
  failed: 'This payment cannot be made',
  failedNote: (merchant: string): string =>
    `Please do not send anything. If you have already sent something, ask ${merchant}: it is recorded.`,
  backTo: (merchant: string): string => `Back to ${merchant}`,
  goingBack: (merchant: string): string => `Going back to ${merchant} in {seconds} s`,
  goingBackSaid: (merchant: string, seconds: number): string =>
    `You will be taken back to ${merchant} in ${seconds} seconds, unless you press “Stay here”.`,
  stay: 'Stay here',
  mayClose: 'You can close this page.',
  payAgain: 'Pay again',
  startAgain: 'Start again',

  order: 'Your order',
  total: 'Total',
  taxId: 'Tax number',
  payWith: 'You can pay with',
  noOptions: 'This cannot be paid right now',
  noOptionsNote: (merchant: string): string =>
    `There is nothing to pay it with at the moment. Please try again later, or ask ${merchant}.`,
  payNote: 'You choose on the next page. The time to pay starts there.',
  refresh: 'Refresh this page',
  reconnecting: 'No connection. Trying again …',
  sandboxWallet: 'Sandbox wallet',
  sandboxWalletNote: 'Pay this with play money, to try what happens.',
  payExact: 'Pay exactly',
  payLess: 'Pay less',
  payMore: 'Pay more',
  payLate: 'Pay too late',

  notFound: 'There is no payment here',
  notFoundNote:
    'Please check the link, or ask whoever sent it for a new one. Do not send any money. If you have just paid at a till, the cashier has your receipt.',
  paidAtTill: 'A payment has arrived',
  paidAtTillNote: 'The cashier sees whether it is complete, and has your receipt.',
  notUnderstood: 'This did not work',
  notUnderstoodNote:
    'We could not understand what was asked for. Nothing was changed, and a payment you have sent is not affected.',
  notThisWay: 'This cannot be paid this way now',
  notThisWayNote:
    'Please do not send any money, and ask the merchant how to pay. A payment you have already sent is not affected.',
  tooMany: 'Too many attempts',
  tooManyNote: 'Please wait a minute, then try again. A payment you have sent is not affected.',
  broken: 'Something went wrong on our side',
  brokenNote: 'A payment you have sent is not affected. Please try again in a moment.',
  failureNumber: (id: string): string => `If it goes on, tell the merchant this number: ${id}`,
  unavailable: 'This does not work right now',
  unavailableNote: 'Please try again in a moment. A payment you have sent is not affected.',
  backToPayment: 'Back to the payment',
};

/** Every language has the same messages: a missing one does not compile. */
export type CheckoutMessages = typeof english;
