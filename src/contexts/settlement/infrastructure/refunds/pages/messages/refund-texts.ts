/** Texts of the page at which a payer claims a refund. */
export interface RefundTexts {
  readonly title: (merchant: string) => string;
  readonly refund: string;
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  readonly transaction: string;
  readonly whereTo: string;
  readonly addressOn: (network: string) => string;
  readonly ownWallet: string;
  readonly goOn: string;
  readonly badAddress: string;
  readonly check: string;
  readonly checkNote: string;
  readonly confirm: string;
  readonly change: string;
  readonly waiting: string;
  readonly waitingNote: (merchant: string) => string;
  readonly onItsWay: string;
  readonly onItsWayNote: string;
  readonly paid: string;
  readonly paidNote: string;
  readonly notPaid: string;
  readonly notPaidNote: (merchant: string) => string;
}
