// Which letters a clock shows in which zone at which UTC offset. Source: tz database, release 2026c (files africa,
// antarctica, asia, australasia, etcetera, europe, northamerica, southamerica, backward), the FORMAT column compiled
// by zic, 1970 to 2037. An offset alone (`EET+2 +3`) has none: clocks show it as `+03`. Zones that never had letters are
// absent.

/** Letters by offset, `'CET+1 CEST+2'`, and the zones (tz database names, space between them) that have shown them. */
export interface LettersEntry {
  readonly letters: string
  readonly zones: string
}

/** Letters of today's rules; where an offset had other letters before 2007, the later ones. */
export const LETTERS_NOW: readonly LettersEntry[] = [
  {
    letters: 'CET+1 CEST+2',
    zones:
      'Africa/Tunis Arctic/Longyearbyen Atlantic/Jan_Mayen CET Europe/Amsterdam Europe/Andorra Europe/Belgrade ' +
      'Europe/Berlin Europe/Bratislava Europe/Brussels Europe/Budapest Europe/Busingen Europe/Copenhagen ' +
      'Europe/Gibraltar Europe/Ljubljana Europe/Luxembourg Europe/Madrid Europe/Malta Europe/Monaco Europe/Oslo ' +
      'Europe/Paris Europe/Podgorica Europe/Prague Europe/Rome Europe/San_Marino Europe/Sarajevo Europe/Skopje ' +
      'Europe/Stockholm Europe/Tirane Europe/Vaduz Europe/Vatican Europe/Vienna Europe/Warsaw Europe/Zagreb ' +
      'Europe/Zurich MET Poland',
  },
  {
    letters: 'GMT+0',
    zones:
      'Africa/Abidjan Africa/Accra Africa/Bamako Africa/Banjul Africa/Bissau Africa/Conakry Africa/Dakar ' +
      'Africa/Freetown Africa/Lome Africa/Monrovia Africa/Nouakchott Africa/Ouagadougou Africa/Timbuktu ' +
      'America/Danmarkshavn Atlantic/Reykjavik Atlantic/St_Helena Etc/GMT Etc/GMT+0 Etc/GMT-0 Etc/GMT0 ' +
      'Etc/Greenwich GMT GMT+0 GMT-0 GMT0 Greenwich Iceland',
  },
  {
    letters: 'CST-6 CDT-5',
    zones:
      'America/Belize America/Chicago America/Costa_Rica America/El_Salvador America/Guatemala America/Indiana/Knox ' +
      'America/Knox_IN America/Managua America/Matamoros America/Menominee America/Merida America/Mexico_City ' +
      'America/Monterrey America/North_Dakota/Beulah America/Ojinaga America/Rainy_River America/Rankin_Inlet ' +
      'America/Resolute America/Tegucigalpa America/Winnipeg CST6CDT Canada/Central Mexico/General US/Central ' +
      'US/Indiana-Starke',
  },
  {
    letters: 'EST-5 EDT-4',
    zones:
      'America/Detroit America/Fort_Wayne America/Grand_Turk America/Indiana/Indianapolis America/Indiana/Marengo ' +
      'America/Indiana/Petersburg America/Indiana/Vevay America/Indiana/Vincennes America/Indianapolis ' +
      'America/Jamaica America/Kentucky/Louisville America/Louisville America/Montreal America/Nassau ' +
      'America/New_York America/Nipigon America/Port-au-Prince America/Thunder_Bay America/Toronto Canada/Eastern ' +
      'EST5EDT Jamaica US/East-Indiana US/Eastern US/Michigan',
  },
  {
    letters: 'AST-4',
    zones:
      'America/Anguilla America/Antigua America/Aruba America/Blanc-Sablon America/Curacao America/Dominica ' +
      'America/Grenada America/Guadeloupe America/Kralendijk America/Lower_Princes America/Marigot ' +
      'America/Montserrat America/Port_of_Spain America/Puerto_Rico America/St_Barthelemy America/St_Kitts ' +
      'America/St_Lucia America/St_Thomas America/St_Vincent America/Tortola America/Virgin',
  },
  {
    letters: 'EET+2 EEST+3',
    zones:
      'Africa/Cairo Asia/Beirut Asia/Famagusta Asia/Gaza Asia/Hebron Asia/Nicosia EET Egypt Europe/Athens ' +
      'Europe/Bucharest Europe/Helsinki Europe/Mariehamn Europe/Nicosia Europe/Sofia',
  },
  {
    letters: 'AEST+10 AEDT+11',
    zones:
      'Antarctica/Macquarie Australia/ACT Australia/Brisbane Australia/Canberra Australia/Currie Australia/Hobart ' +
      'Australia/Lindeman Australia/Melbourne Australia/NSW Australia/Queensland Australia/Sydney ' +
      'Australia/Tasmania Australia/Victoria',
  },
  {
    letters: 'EAT+3',
    zones:
      'Africa/Addis_Ababa Africa/Asmara Africa/Asmera Africa/Dar_es_Salaam Africa/Djibouti Africa/Kampala ' +
      'Africa/Mogadishu Africa/Nairobi Indian/Antananarivo Indian/Comoro Indian/Mayotte',
  },
  {
    letters: 'MST-7 MDT-6',
    zones:
      'America/Boise America/Ciudad_Juarez America/Denver America/Hermosillo America/Mazatlan America/Shiprock ' +
      'MST7MDT Mexico/BajaSur Navajo US/Mountain',
  },
  {
    letters: 'WAT+1',
    zones:
      'Africa/Bangui Africa/Brazzaville Africa/Douala Africa/Kinshasa Africa/Lagos Africa/Libreville Africa/Luanda ' +
      'Africa/Malabo Africa/Niamey Africa/Porto-Novo',
  },
  {
    letters: 'CST+8 CDT+9',
    zones: 'Asia/Chongqing Asia/Chungking Asia/Harbin Asia/Macao Asia/Macau Asia/Shanghai Asia/Taipei PRC ROC',
  },
  {
    letters: 'MST-7',
    zones:
      'America/Creston America/Dawson America/Phoenix America/Vancouver America/Whitehorse Canada/Pacific ' +
      'Canada/Yukon MST US/Arizona',
  },
  {
    letters: 'AST-4 ADT-3',
    zones:
      'America/Barbados America/Glace_Bay America/Halifax America/Martinique America/Moncton America/Thule ' +
      'Atlantic/Bermuda Canada/Atlantic',
  },
  {
    letters: 'CAT+2',
    zones:
      'Africa/Blantyre Africa/Bujumbura Africa/Gaborone Africa/Harare Africa/Kigali Africa/Lubumbashi Africa/Lusaka ' +
      'Africa/Maputo',
  },
  {
    letters: 'EET+2 EEST+3 MSD+4',
    zones:
      'Europe/Chisinau Europe/Kiev Europe/Kyiv Europe/Riga Europe/Tallinn Europe/Tiraspol Europe/Uzhgorod ' +
      'Europe/Zaporozhye',
  },
  { letters: 'UTC+0', zones: 'Etc/UCT Etc/UTC Etc/Universal Etc/Zulu UCT UTC Universal Zulu' },
  {
    letters: 'GMT+0 BST+1',
    zones: 'Europe/Belfast Europe/Guernsey Europe/Isle_of_Man Europe/Jersey Europe/London GB GB-Eire',
  },
  {
    letters: 'PST-8 PDT-7',
    zones:
      'America/Ensenada America/Los_Angeles America/Santa_Isabel America/Tijuana Mexico/BajaNorte PST8PDT ' +
      'US/Pacific',
  },
  {
    letters: 'CST-6',
    zones: 'America/Chihuahua America/Edmonton America/Regina America/Yellowknife Canada/Mountain Canada/Saskatchewan',
  },
  { letters: '+3', zones: 'Asia/Amman Asia/Damascus Asia/Istanbul Europe/Istanbul Turkey' },
  { letters: 'EST-5', zones: 'America/Atikokan America/Cayman America/Coral_Harbour America/Panama EST' },
  {
    letters: 'ACST+9:30 ACDT+10:30',
    zones: 'Australia/Adelaide Australia/Broken_Hill Australia/South Australia/Yancowinna',
  },
  {
    letters: 'CST-6 EST-5 EDT-4',
    zones: 'America/Indiana/Winamac America/Iqaluit America/Kentucky/Monticello America/Pangnirtung',
  },
  { letters: 'HST-10', zones: 'HST Pacific/Honolulu Pacific/Johnston US/Hawaii' },
  { letters: 'NZST+12 NZDT+13', zones: 'Antarctica/McMurdo Antarctica/South_Pole NZ Pacific/Auckland' },
  { letters: 'SST-11', zones: 'Pacific/Midway Pacific/Pago_Pago Pacific/Samoa US/Samoa' },
  { letters: 'WET+0 WEST+1', zones: 'Atlantic/Canary Atlantic/Faeroe Atlantic/Faroe Atlantic/Madeira' },
  { letters: 'BST-11 HST-10 HDT-9', zones: 'America/Adak America/Atka US/Aleutian' },
  { letters: 'IST+2 IDT+3', zones: 'Asia/Jerusalem Asia/Tel_Aviv Israel' },
  { letters: 'MSK+3 MSK+4', zones: 'Europe/Kirov Europe/Moscow W-SU' },
  {
    letters: 'MST-7 CST-6 CDT-5',
    zones: 'America/Bahia_Banderas America/North_Dakota/Center America/North_Dakota/New_Salem',
  },
  { letters: 'SAST+2', zones: 'Africa/Johannesburg Africa/Maseru Africa/Mbabane' },
  { letters: 'WET+0 WEST+1 CEST+2', zones: 'Europe/Lisbon Portugal WET' },
  { letters: 'ACST+9:30', zones: 'Australia/Darwin Australia/North' },
  { letters: 'AEST+10 +10:30 +11', zones: 'Australia/LHI Australia/Lord_Howe' },
  { letters: 'AHST-10 AKST-9 AKDT-8', zones: 'America/Anchorage US/Alaska' },
  { letters: 'AKST-9 AKDT-8', zones: 'America/Metlakatla America/Yakutat' },
  { letters: 'AKST-9 AKDT-8 PDT-7', zones: 'America/Juneau America/Sitka' },
  { letters: 'AWST+8 AWDT+9', zones: 'Australia/Perth Australia/West' },
  { letters: 'CAT+2 EAT+3', zones: 'Africa/Juba Africa/Khartoum' },
  { letters: 'CST-5 CDT-4', zones: 'America/Havana Cuba' },
  { letters: 'ChST+10 GDT+11', zones: 'Pacific/Guam Pacific/Saipan' },
  { letters: 'EET+2', zones: 'Africa/Tripoli Libya' },
  { letters: 'EET+2 +3', zones: 'Europe/Kaliningrad Europe/Minsk' },
  { letters: 'GMT+0 IST+1', zones: 'Eire Europe/Dublin' },
  { letters: 'HKT+8 HKST+9', zones: 'Asia/Hong_Kong Hongkong' },
  { letters: 'IST+5:30', zones: 'Asia/Calcutta Asia/Kolkata' },
  { letters: 'JST+9', zones: 'Asia/Tokyo Japan' },
  { letters: 'KST+9 KDT+10', zones: 'Asia/Seoul ROK' },
  { letters: 'NST-3:30 NDT-2:30 NDDT-1:30', zones: 'America/St_Johns Canada/Newfoundland' },
  { letters: 'PST-8 MST-7', zones: 'America/Dawson_Creek America/Fort_Nelson' },
  { letters: 'WET+0 CET+1 CEST+2', zones: 'Africa/Algiers Africa/Ceuta' },
  { letters: 'WITA+8', zones: 'Asia/Makassar Asia/Ujung_Pandang' },
  { letters: '-1 +0 WEST+1', zones: 'Atlantic/Azores' },
  { letters: 'AST-4 -3 -2', zones: 'America/Miquelon' },
  { letters: 'AST-4 ADT-3 ADDT-2', zones: 'America/Goose_Bay' },
  { letters: 'BST-11 BDT-10 AKST-9 AKDT-8', zones: 'America/Nome' },
  { letters: 'CET+1 EET+2 EEST+3 MSD+4', zones: 'Europe/Vilnius' },
  { letters: 'CST-6 CDT-5 EDT-4', zones: 'America/Indiana/Tell_City' },
  { letters: 'CST-6 EST-5', zones: 'America/Cancun' },
  { letters: 'EET+2 MSK+3 MSK+4', zones: 'Europe/Simferopol' },
  { letters: 'EST-5 AST-4', zones: 'America/Santo_Domingo' },
  { letters: 'GMT+0 WAT+1', zones: 'Africa/Sao_Tome' },
  { letters: 'KST+8:30 KST+9', zones: 'Asia/Pyongyang' },
  { letters: 'MSK+3 +4', zones: 'Europe/Volgograd' },
  { letters: 'MST-7 CST-6', zones: 'America/Swift_Current' },
  { letters: 'MST-7 MDT-6 EST-5', zones: 'America/Cambridge_Bay' },
  { letters: 'PKT+5 PKST+6', zones: 'Asia/Karachi' },
  { letters: 'PST+8 PDT+9', zones: 'Asia/Manila' },
  { letters: 'PST-8 MST-7 MDT-6', zones: 'America/Inuvik' },
  { letters: 'WAT+1 CAT+2', zones: 'Africa/Windhoek' },
  { letters: 'WAT+1 WAST+2', zones: 'Africa/Ndjamena' },
  { letters: 'WIB+7', zones: 'Asia/Jakarta' },
  { letters: 'WIB+7 WITA+8', zones: 'Asia/Pontianak' },
  { letters: 'WIT+9', zones: 'Asia/Jayapura' },
]

/** An entry for zones that changed letters at one offset: true before the wall clock reading `until`. */
export interface EarlierLetters extends LettersEntry {
  /** `'YYYY-MM-DD HH:MM:SS'`, exclusive. */
  readonly until: string
}

/** Letters before a change of letters, for changes since 2007; several of one zone in order of time. */
export const LETTERS_EARLIER: readonly EarlierLetters[] = [
  { until: '2007-03-11 03:00:00', letters: 'CST-6 EST-5', zones: 'America/Resolute' },
  { until: '2007-11-04 02:00:00', letters: 'CST-6 CDT-5', zones: 'America/Indiana/Petersburg' },
  { until: '2007-11-04 02:00:00', letters: 'CST-6 CDT-5 EDT-4', zones: 'America/Indiana/Vincennes' },
  { until: '2009-10-25 02:00:00', letters: 'MST-7 MDT-6', zones: 'America/Bahia_Banderas' },
  { until: '2010-10-31 03:00:00', letters: 'EET+2 EEST+3 MSD+4', zones: 'Europe/Kaliningrad Europe/Minsk' },
  { until: '2010-10-31 03:00:00', letters: 'EET+2 MSK+3 MSD+4', zones: 'Europe/Moscow W-SU' },
  { until: '2010-10-31 03:00:00', letters: 'MSK+3 MSD+4', zones: 'Europe/Kirov Europe/Volgograd' },
  { until: '2010-11-07 02:00:00', letters: 'MST-7 MDT-6', zones: 'America/North_Dakota/Beulah' },
  { until: '2012-11-10 02:00:00', letters: 'CET+1 EET+2', zones: 'Africa/Tripoli Libya' },
  { until: '2013-10-25 02:00:00', letters: 'CET+1 CEST+2', zones: 'Africa/Tripoli Libya' },
  { until: '2013-10-27 04:00:00', letters: 'EET+2 EEST+3 MSD+4', zones: 'Europe/Simferopol' },
  { until: '2014-10-26 02:00:00', letters: 'CST-6 CDT-5 EDT-4', zones: 'America/Cancun' },
  { until: '2014-10-26 02:00:00', letters: 'MSK+3 MSK+4', zones: 'Europe/Volgograd' },
  { until: '2014-11-02 02:00:00', letters: 'EST-5 EDT-4', zones: 'America/Grand_Turk' },
  { until: '2014-11-02 02:00:00', letters: 'PST-8 PDT-7', zones: 'America/Fort_Nelson' },
  { until: '2015-11-01 02:00:00', letters: 'PST-8 PDT-7', zones: 'America/Metlakatla' },
  { until: '2016-09-07 00:00:00', letters: 'EET+2 EEST+3', zones: 'Asia/Istanbul Europe/Istanbul Turkey' },
  { until: '2016-09-08 00:00:00', letters: 'EET+2 EEST+3', zones: 'Asia/Famagusta' },
  { until: '2017-10-29 04:00:00', letters: '+3', zones: 'Asia/Famagusta' },
  { until: '2018-03-11 03:00:00', letters: 'EST-5 AST-4', zones: 'America/Grand_Turk' },
  { until: '2018-11-04 02:00:00', letters: 'AKST-9 AKDT-8', zones: 'America/Metlakatla' },
  { until: '2019-01-20 02:00:00', letters: 'PST-8', zones: 'America/Metlakatla' },
  { until: '2020-11-01 00:00:00', letters: 'PST-8 PDT-7', zones: 'America/Whitehorse Canada/Yukon' },
  { until: '2020-11-01 00:00:00', letters: 'YST-9 PST-8 PDT-7', zones: 'America/Dawson' },
  { until: '2022-10-28 00:00:00', letters: 'EET+2 EEST+3', zones: 'Asia/Damascus' },
  { until: '2022-10-28 01:00:00', letters: 'EET+2 EEST+3', zones: 'Asia/Amman' },
  {
    until: '2022-10-30 02:00:00',
    letters: 'MST-7 MDT-6 CDT-5',
    zones: 'America/Chihuahua America/Ciudad_Juarez America/Ojinaga',
  },
  { until: '2022-11-30 00:00:00', letters: 'CST-6', zones: 'America/Ciudad_Juarez' },
  {
    until: '2026-11-01 02:00:00',
    letters: 'MST-7 MDT-6',
    zones: 'America/Edmonton America/Yellowknife Canada/Mountain',
  },
  { until: '2026-11-01 02:00:00', letters: 'PST-8 PDT-7', zones: 'America/Vancouver Canada/Pacific' },
]
