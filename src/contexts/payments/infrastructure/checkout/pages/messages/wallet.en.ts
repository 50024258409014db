/** Texts of the script that pays by a wallet of the browser; what stands in braces is filled in there. */
export const walletEnglish = {
  thisWallet: 'wallet of this browser',
  choose: 'Pay with a wallet of this browser. It asks you before anything is sent.',
  continueWith: 'Continue with {wallet}',
  connecting: 'Please answer in {wallet} …',
  switching: 'Please let {wallet} use {network} …',
  checking: 'Checking the payment …',
  confirming: 'Please confirm the payment in {wallet} …',
  signing: 'Please sign in {wallet} …',
  ready: '{account} holds {held} on {network}.',
  fee: 'The network fee is about {fee} and comes on top.',
  networkCoin: 'of the network’s coin',
  noCoin: 'The account holds too little of the network’s coin to send a payment, but can sign one.',
  signedNote: 'With a signature you send nothing yourself: no network fee is taken from you.',
  pay: 'Pay {amount}',
  paySigned: 'Sign and pay {amount}, without network fee',
  retry: 'Try again',
  startAgain: 'It was not sent: start again',
  cancelled: 'I have cancelled it: pay again',
  transaction: 'Transaction',
  sent: 'Your wallet has sent the payment. It shows up here by itself; you need not do anything more.',
  handingOver: 'Signed. It is being handed over: keep this page open.',
  signed: 'Your signature was received, and the payment is being sent. It shows up here by itself.',
  stuck:
    'The network does not know this transaction. Pay again only if you have cancelled it in your wallet: otherwise both payments may be taken.',
  maybe:
    'Your wallet was asked for this payment, and its answer has not arrived. Look there first: if it was sent, it shows up here by itself.',
  rejected: 'You declined in {wallet}. Nothing was sent.',
  pending: '{wallet} has another question open. Answer it there, then try again.',
  unauthorized: '{wallet} shows this page no account. Unlock it or allow this page there, then try again.',
  unsupported: '{wallet} cannot do this. Pay in one of the other ways.',
  disconnected: '{wallet} has no connection to its network. Try again shortly.',
  wrongNetwork: '{wallet} is on another network. It has to use {network}.',
  unknownNetwork: '{wallet} does not know {network}. Add it there, then try again.',
  accountChanged: 'The account in {wallet} has changed.',
  tooLittle: 'The account holds {held}, and {amount} is asked.',
  tooLittleGas: 'The account holds too little of the network’s coin for the network fee.',
  wouldFail: 'The network would refuse this transfer. Nothing was sent.',
  reverted: 'The network has refused the transfer, so nothing was paid.',
  silent: '{wallet} does not answer. Open it and look, then try again, or pay in one of the other ways.',
  changed:
    'What is to be paid has changed meanwhile. Nothing was sent; this page is being brought up to date.',
  nearlyOver: 'The time for this payment is nearly over. Nothing was sent.',
  unreachable: 'The payment could not be checked just now. Nothing was sent.',
  notSponsored:
    'This cannot be paid by a signature right now. Nothing was sent: pay in one of the other ways.',
  refused: 'Your signature was not accepted. Nothing was sent.',
  conflict:
    'Your signature was not used: this checkout has changed, or another payment of it is under way. Do not pay again; what arrives shows up here by itself.',
  failed: '{wallet} reports a fault. Nothing was sent.',
};

export type WalletMessages = typeof walletEnglish;
