import type { Translations } from './translation.js';

/** Forms, filters, and what many of them ask for. */
export const FORM_WORDS = {
  Filter: ['Filtrar', 'Filtrar'],
  Clear: ['Quitar filtros', 'Limpar'],
  All: ['Todos', 'Todos'],
  'Check the marked fields.': ['Revisar los campos marcados.', 'Confira os campos marcados.'],
  'Use a passkey instead': ['Usar una llave de acceso', 'Usar uma chave de acesso'],
  'One-time code': ['Código de un solo uso', 'Código de uso único'],
  'From your authenticator app, or one of your recovery codes.': [
    'De la aplicación de autenticación, o uno de los códigos de recuperación.',
    'Do aplicativo autenticador, ou um dos códigos de recuperação.',
  ],
  'Choose, or search again': ['Elegir, o buscar de nuevo', 'Escolher, ou buscar de novo'],
  '{total} fit what is typed here. Type a part of the name: those that match are listed next.': [
    '{total} coinciden con lo escrito. Escribir una parte del nombre: los que coincidan se muestran después.',
    '{total} combinam com o que foi digitado. Digite uma parte do nome: os que combinarem aparecem depois.',
  ],
  '{total} to choose from. Type a part of the name: those that match are listed next.': [
    '{total} para elegir. Escribir una parte del nombre: los que coincidan se muestran después.',
    '{total} para escolher. Digite uma parte do nome: os que combinarem aparecem depois.',
  ],
  Save: ['Guardar', 'Salvar'],
  Activate: ['Activar', 'Ativar'],
  Deactivate: ['Desactivar', 'Desativar'],
  'From (UTC)': ['Desde (UTC)', 'De (UTC)'],
  'To (UTC)': ['Hasta (UTC)', 'Até (UTC)'],
  'Tax id (optional)': ['Número fiscal (opcional)', 'Número fiscal (opcional)'],
  Cancel: ['Cancelar', 'Cancelar'],
  'Time zone': ['Zona horaria', 'Fuso horário'],
  'Payment id': ['Id del pago', 'Id do pagamento'],
  From: ['Desde', 'De'],
  Create: ['Crear', 'Criar'],
  Delete: ['Eliminar', 'Excluir'],
  Confirm: ['Confirmar', 'Confirmar'],
  Description: ['Descripción', 'Descrição'],
  'Show all': ['Mostrar todo', 'Mostrar tudo'],
} as const satisfies Translations;
