import assert from 'node:assert/strict'
import test from 'node:test'
import { planColumns } from './columns.ts'
import { readCsv } from './read-csv.ts'

function fields(headings: string): string {
  return planColumns(headings.split(headings.includes(';') ? ';' : ','), []).fields.join(',')
}

const BASICS = 'title,start_date,end_date,venue,organizer'

test('headings are recognised in every language', () => {
  const tables = [
    'Titel,Datum,Ende,Ort,Veranstalter',
    'Titel,Beginn,Ende,Veranstaltungsort,Veranstalter',
    'TITRE,Date de debut,Date de fin,Lieu,Organisateur',
    'Título,Fecha,Fin,Lugar,Organizador',
    'Titolo,Data,Fine,Luogo,Organizzatore',
    'Titel,Begindatum,Einddatum,Locatie,Organisator',
    'Título,Data de início,Data de fim,Local,Organizador',
    'Tytuł,Data rozpoczęcia,Data zakończenia,Miejsce,Organizator',
    'タイトル,開始日,終了日,会場,主催者',
    '标题,开始日期,结束日期,地点,主办方',
    'Bezeichnung,Datum von,Datum bis,Location,Verein',
    'Name,Start,End,Location,Host',
    'العنوان,تاريخ البدء,تاريخ الانتهاء,المكان,المنظم',
  ]
  for (const one of tables) assert.equal(fields(one), BASICS, one)
})

test('exports of other programs are recognised', () => {
  const exports: Readonly<Record<string, string>> = {
    // Google Calendar, Outlook in several languages
    'Subject,Start Date,Start Time,End Date,End Time,All Day Event,Description,Location,Private':
      'title,start_date,start_time,end_date,end_time,all_day,description,venue,private',
    'Betreff,Beginnt am,Beginnt um,Endet am,Endet um,Ganztägiges Ereignis,Kategorien,Ort,Privat,Vertraulichkeit':
      'title,start_date,start_time,end_date,end_time,all_day,categories,venue,private,private',
    'Objet,Début,Début,Fin,Fin,Journée entière,Critère de diffusion,Emplacement,Privé':
      'title,start_date,start_time,end_date,end_time,all_day,private,venue,private',
    'Asunto,Fecha de comienzo,Comienzo,Fecha de finalización,Finalización,Todo el día,Ubicación,Privado':
      'title,start_date,start_time,end_date,end_time,all_day,venue,private',
    '件名,開始日,開始時刻,終了日,終了時刻,終日イベント,場所,秘密度':
      'title,start_date,start_time,end_date,end_time,all_day,venue,private',
    'Onderwerp;Begindatum;Begintijd;Gebeurtenis, duurt hele dag;Privé;Locatie':
      'title,start_date,start_time,all_day,private,venue',
    // Lotus Notes
    'Subject,StartDate,StartTime,OrgConfidential': 'title,start_date,start_time,private',
    // The Events Calendar
    'Event Name,Event Start Date,Event Start Time,Event End Date,Event End Time,All Day Event,Event Venue Name,Event Organizer Name,Event Category,Event Tags,Event Website,Event Featured Image':
      'title,start_date,start_time,end_date,end_time,all_day,venue,organizer,categories,tags,website,image',
    // Modern Events Calendar
    'ID,Title,Start Date,Start Time,End Date,End Time,Link,Location,Address,Organizer,Organizer Tel,Organizer Email,Event Cost':
      ',title,start_date,start_time,end_date,end_time,website,venue,address,organizer,,organizer_email,cost',
    // EventON
    'publish_status,event_name,event_description,event_start_date,event_start_time,event_end_date,event_end_time,event_location,location_name,event_organizer,all_day':
      'status,title,description,start_date,start_time,end_date,end_time,address,venue,organizer,all_day',
    'event_name,event_start_date,evcal_location_name,evcal_location_address,evcal_organizer_name,evcal_subtitle,evcal_lmlink':
      'title,start_date,venue,address,organizer,excerpt,website',
    // My Calendar
    'event_begin,event_time,event_end,event_endtime,event_title,event_desc,event_short,event_label,event_street,event_city,event_postcode,event_approved':
      'start_date,start_time,end_date,end_time,title,description,excerpt,venue,address,city,zip,status',
  }
  for (const [headings, expected] of Object.entries(exports)) assert.equal(fields(headings), expected, headings)
})

test('a second column for starts or ends has the times where nothing else does', () => {
  assert.equal(fields('Datum,Beginn,Ende,Titel'), 'start_date,start_time,end_date,title')
  assert.equal(fields('Fecha,Hora,Título'), 'start_date,start_time,title')
  assert.equal(fields('Start Date,Start Time,Date,Title'), 'start_date,start_time,start_date,title')
})

test('a table of which little but the place is known is none of venues', () => {
  for (const one of ['Was,Wann,Ort', 'Quoi,Quand,Lieu', 'Qué,Cuándo,Lugar']) {
    const { kind, lacks } = planColumns(one.split(','), [])
    assert.deepEqual([kind, lacks !== undefined], ['event', true], one)
  }
  assert.equal(planColumns(['Ort', 'Adresse', 'Notiz'], []).kind, 'venue')
  assert.equal(planColumns(['Venue Name', 'Owner', 'Seats', 'Notes'], []).kind, 'venue')
})

test('tables of spreadsheets in older encodings are read by the one in which their headings are known', () => {
  const tables = [
    ['Tytu\xb3;Data;Miejsce\n\x8cwi\xeato;15.07.2027;\xa3\xf3d\x9f', 'Święto', 'Łódź'],
    [
      '\x83^\x83C\x83g\x83\x8b,\x8aJ\x8en\x93\xfa,\x89\xef\x8f\xea\n\x89\xc4\x8d\xd5\x82\xe8,2027/7/15,\x8c\xf6\x96\xaf\x8a\xd9',
      '夏祭り',
      '公民館',
    ],
    [
      '\xb1\xea\xcc\xe2,\xbf\xaa\xca\xbc\xc8\xd5\xc6\xda,\xb5\xd8\xb5\xe3\n\xd2\xf4\xc0\xd6\xbb\xe1,2027/7/15,\xbe\xe7\xd4\xba',
      '音乐会',
      '剧院',
    ],
    [
      '\xc7\xe1\xda\xe4\xe6\xc7\xe4;\xc7\xe1\xca\xc7\xd1\xed\xce;\xc7\xe1\xe3\xdf\xc7\xe4\n\xcd\xdd\xe1;15/07/2027;\xc7\xe1\xde\xc7\xda\xc9',
      'حفل',
      'القاعة',
    ],
    ['Titre;Cat\x8egorie;D\x8ebut;Lieu\nF\x90te;\x83t\x8e;15/07/2027;Th\x8e\x89tre', 'Fête', 'Théâtre'],
    ['Titre;Cat\xe9gorie;D\xe9but;Lieu\nF\xeate;\xc9t\xe9;15/07/2027;Th\xe9\xe2tre', 'Fête', 'Théâtre'],
  ] as const
  for (const [bytes, title, place] of tables) {
    const { events } = readCsv('a.csv', Buffer.from(bytes, 'latin1'), { zone: 'Europe/Warsaw', columns: [] })
    assert.deepEqual(
      events.map(({ content, times }) => [content.title, content.location, times.start.slice(0, 10)]),
      [[title, place, '2027-07-15']],
    )
  }
})
