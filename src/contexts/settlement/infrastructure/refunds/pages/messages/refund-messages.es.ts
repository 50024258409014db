import type { RefundTexts } from './refund-texts.js';

export const ES: RefundTexts = {
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
