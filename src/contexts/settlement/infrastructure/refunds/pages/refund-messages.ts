import type { Catalogue } from '#shared/web/messages/languages.js';

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

const EN: RefundTexts = {
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

const ES: RefundTexts = {
  title: (merchant) => `Reembolso de ${merchant}`,
  refund: 'Tu reembolso',
  asset: 'Moneda',
  network: 'Red',
  address: 'Dirección',
  transaction: 'Transacción',
  whereTo: '¿A dónde lo enviamos?',
  addressOn: (network) => `Tu dirección en ${network}`,
  ownWallet: 'Usa una dirección tuya que acepte esta moneda en esta red.',
  goOn: 'Continuar',
  badAddress: 'Este reembolso no se puede enviar a esa dirección. Revísala o usa otra.',
  check: '¿Está todo bien?',
  checkNote:
    'Un pago a una dirección o red equivocada no se puede deshacer. Después no se puede cambiar la dirección.',
  confirm: 'Sí, enviarlo ahí',
  change: 'Cambiar la dirección',
  waiting: 'Dirección recibida',
  waitingNote: (merchant) => `${merchant} todavía tiene que aprobar el reembolso.`,
  onItsWay: 'Tu reembolso está en camino',
  onItsWayNote: 'Será definitivo en unos minutos. Puedes cerrar esta página.',
  paid: 'Tu reembolso se ha pagado',
  paidNote: 'Lo encuentras en tu billetera.',
  notPaid: 'Este reembolso no se pagó',
  notPaidNote: (merchant) => `Pide otro a ${merchant}.`,
};

const PT: RefundTexts = {
  title: (merchant) => `Reembolso de ${merchant}`,
  refund: 'Seu reembolso',
  asset: 'Moeda',
  network: 'Rede',
  address: 'Endereço',
  transaction: 'Transação',
  whereTo: 'Para onde enviar?',
  addressOn: (network) => `Seu endereço em ${network}`,
  ownWallet: 'Use um endereço seu que aceite esta moeda nesta rede.',
  goOn: 'Continuar',
  badAddress: 'Este reembolso não pode ser enviado para esse endereço. Confira ou use outro.',
  check: 'Está tudo certo?',
  checkNote:
    'Um pagamento para um endereço ou uma rede errada não pode ser desfeito. Depois não dá para mudar o endereço.',
  confirm: 'Sim, enviar para lá',
  change: 'Mudar o endereço',
  waiting: 'Endereço recebido',
  waitingNote: (merchant) => `${merchant} ainda precisa aprovar o reembolso.`,
  onItsWay: 'Seu reembolso está a caminho',
  onItsWayNote: 'Será definitivo em alguns minutos. Você pode fechar esta página.',
  paid: 'Seu reembolso foi pago',
  paidNote: 'Ele está na sua carteira.',
  notPaid: 'Este reembolso não foi pago',
  notPaidNote: (merchant) => `Peça outro a ${merchant}.`,
};

export const REFUND_MESSAGES: Catalogue<RefundTexts> = { en: EN, es: ES, pt: PT };
