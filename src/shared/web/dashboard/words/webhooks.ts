import type { Translations } from '../../messages/languages.js';

/** Translations for webhooks and their delivery log. */
export const WEBHOOK_WORDS = {
  'Create webhook': ['Crear webhook', 'Criar webhook'],
  'Webhooks of all accounts, oldest first': [
    'Webhooks de todas las cuentas, primero los más antiguos',
    'Webhooks de todas as contas, primeiro os mais antigos',
  ],
  'No webhooks yet.': ['Todavía no hay webhooks.', 'Ainda não há webhooks.'],
  'A webhook notifies your systems of payment events within seconds.': [
    'Un webhook notifica los eventos de pago a tus sistemas en segundos.',
    'Um webhook notifica seus sistemas sobre eventos de pagamento em segundos.',
  ],
  'Webhook deleted. It no longer receives events.': [
    'Webhook eliminado. Ya no recibe eventos.',
    'Webhook excluído. Ele não recebe mais eventos.',
  ],
  URL: ['URL', 'URL'],
  'A public https address that answers each POST with HTTP 200 within 2 seconds.': [
    'Una dirección https pública que responde a cada POST con HTTP 200 en 2 segundos.',
    'Um endereço https público que responde a cada POST com HTTP 200 em até 2 segundos.',
  ],
  Events: ['Eventos', 'Eventos'],
  'Incoming transfers': ['Transferencias entrantes', 'Transferências recebidas'],
  'For your own use (optional).': ['Para uso interno (opcional).', 'Para uso interno (opcional).'],
  'Not receiving events': ['No recibe eventos', 'Não recebe eventos'],
  'for 5 days': ['desde hace 5 días', 'há 5 dias'],
  'Webhook secret': ['Secreto del webhook', 'Segredo do webhook'],
  'Deliveries to {url} are signed with this secret. Your receiver uses it to verify the signature.': [
    'Las entregas a {url} se firman con este secreto. Tu receptor lo usa para verificar la firma.',
    'As entregas para {url} são assinadas com este segredo. Seu receptor o usa para verificar a assinatura.',
  ],
  'The secret is displayed only once. Store it where your receiver reads its secrets.': [
    'El secreto se muestra una sola vez. Guárdalo donde tu receptor lee sus secretos.',
    'O segredo é exibido uma única vez. Guarde-o onde seu receptor lê os segredos.',
  ],
  'The previous secret also signs until {time}.': [
    'El secreto anterior también firma hasta {time}.',
    'O segredo anterior também assina até {time}.',
  ],
  'Webhook settings': ['Ajustes del webhook', 'Configurações do webhook'],
  'View webhook': ['Ver webhook', 'Ver webhook'],
  'All future attempts, including pending deliveries, go to this URL. The secret does not change.': [
    'Todos los intentos futuros, incluidas las entregas pendientes, van a esta URL. El secreto no cambia.',
    'Todas as tentativas futuras, inclusive as entregas pendentes, vão para esta URL. O segredo não muda.',
  ],
  'Change URL': ['Cambiar la URL', 'Alterar a URL'],
  'Keep signing with the current secret': [
    'Seguir firmando con el secreto actual',
    'Continuar assinando com o segredo atual',
  ],
  'The next page displays the new secret once.': [
    'La página siguiente muestra el secreto nuevo una sola vez.',
    'A próxima página exibe o novo segredo uma única vez.',
  ],
  'for a day': ['durante un día', 'por um dia'],
  'for a week': ['durante una semana', 'por uma semana'],
  'for an hour': ['durante una hora', 'por uma hora'],
  'no longer (it has leaked)': ['ya no (se ha filtrado)', 'não mais (ele vazou)'],
  'Delete this webhook permanently': [
    'Eliminar este webhook definitivamente',
    'Excluir este webhook definitivamente',
  ],
  'This cannot be undone. The delivery log stays available in the log of the account.': [
    'No se puede deshacer. El registro de entregas sigue disponible en el registro de la cuenta.',
    'Não é possível desfazer. O registro de entregas continua disponível no registro da conta.',
  ],
  'The webhook stops receiving events. Pending deliveries are marked failed; you can replay them later.': [
    'El webhook deja de recibir eventos. Las entregas pendientes se marcan como fallidas; puedes repetirlas más tarde.',
    'O webhook deixa de receber eventos. As entregas pendentes são marcadas como falhas; você pode repeti-las depois.',
  ],
  'The webhook receives new events. You can replay the events it missed.': [
    'El webhook recibe los eventos nuevos. Puedes repetir los que se perdió.',
    'O webhook recebe os eventos novos. Você pode repetir os que ele perdeu.',
  ],
  'Rotate secret': ['Renovar secreto', 'Renovar segredo'],
  'Both the previous and the current secret sign until {time}. Stop the previous one when your receiver uses the new one; then you can rotate again.':
    [
      'El secreto anterior y el actual firman hasta {time}. Detén el anterior cuando tu receptor use el nuevo; después podrás renovarlo otra vez.',
      'O segredo anterior e o atual assinam até {time}. Encerre o anterior quando seu receptor usar o novo; depois você poderá renovar outra vez.',
    ],
  'Stop signing with the previous secret': [
    'Dejar de firmar con el secreto anterior',
    'Parar de assinar com o segredo anterior',
  ],
  'Test sent. The result is the newest entry in the log.': [
    'Prueba enviada. El resultado es la entrada más reciente del registro.',
    'Teste enviado. O resultado é a entrada mais recente do registro.',
  ],
  'Resending the delivery. Reload the page in a moment to see the attempt.': [
    'Reenviando la entrega. Recarga la página en un momento para ver el intento.',
    'Reenviando a entrega. Recarregue a página em instantes para ver a tentativa.',
  ],
  'Replaying events. Events of the same payment are sent in order.': [
    'Repitiendo eventos. Los de un mismo pago se envían en orden.',
    'Repetindo eventos. Os de um mesmo pagamento são enviados em ordem.',
  ],
  'URL changed. All future attempts go to the new URL.': [
    'URL cambiada. Todos los intentos futuros van a la nueva.',
    'URL alterada. Todas as tentativas futuras vão para a nova.',
  ],
  'The secret has already been displayed. If you lost it, rotate it in the settings.': [
    'El secreto ya se mostró. Si lo perdiste, renuévalo en los ajustes.',
    'O segredo já foi exibido. Se você o perdeu, renove-o nas configurações.',
  ],
  'Webhook activated. It receives new events.': [
    'Webhook activado. Recibe los eventos nuevos.',
    'Webhook ativado. Ele recebe os eventos novos.',
  ],
  'Webhook deactivated. It no longer receives events.': [
    'Webhook desactivado. Ya no recibe eventos.',
    'Webhook desativado. Ele não recebe mais eventos.',
  ],
  'Only the new secret signs now.': ['Ahora solo firma el secreto nuevo.', 'Agora só o novo segredo assina.'],
  'Webhook id': ['Id del webhook', 'Id do webhook'],
  Health: ['Funcionamiento', 'Funcionamento'],
  'Previous secret signs until': ['El secreto anterior firma hasta', 'O segredo anterior assina até'],
  'Send test': ['Enviar una prueba', 'Enviar um teste'],
  'Replay events': ['Repetir eventos', 'Repetir eventos'],
  'I saved it, send a test': ['Lo guardé, enviar una prueba', 'Já guardei, enviar um teste'],
  'Show only this payment': ['Mostrar solo este pago', 'Mostrar só este pagamento'],
} as const satisfies Translations;
