; One floor with 18 landmarks, each a place of its own on the way to others, and 5 things: 23 objects.
(:objects
  origin book_shelf lamp hallway bedside_table coffee_machine mail_box office_table television statue couch desk
  printer plant whiteboard trash_bin water_cooler door - place
  book mail phone cup folder - thing)
(:init
  (hand_free) (room origin) (located origin origin) (room book_shelf) (located book_shelf book_shelf) (room lamp)
  (located lamp lamp) (room hallway) (located hallway hallway) (room bedside_table)
  (located bedside_table bedside_table) (room coffee_machine) (located coffee_machine coffee_machine) (room mail_box)
  (located mail_box mail_box) (room office_table) (located office_table office_table) (room television)
  (located television television) (room statue) (located statue statue) (room couch) (located couch couch)
  (room desk) (located desk desk) (room printer) (located printer printer) (room plant) (located plant plant)
  (room whiteboard) (located whiteboard whiteboard) (room trash_bin) (located trash_bin trash_bin)
  (room water_cooler) (located water_cooler water_cooler) (room door) (located door door) (next_to origin book_shelf)
  (next_to book_shelf origin) (next_to origin television) (next_to television origin) (next_to origin statue)
  (next_to statue origin) (next_to book_shelf lamp) (next_to lamp book_shelf) (next_to lamp hallway)
  (next_to hallway lamp) (next_to hallway bedside_table) (next_to bedside_table hallway)
  (next_to bedside_table coffee_machine) (next_to coffee_machine bedside_table) (next_to book_shelf mail_box)
  (next_to mail_box book_shelf) (next_to mail_box office_table) (next_to office_table mail_box)
  (next_to office_table television) (next_to television office_table) (next_to television couch)
  (next_to couch television) (next_to couch plant) (next_to plant couch) (next_to office_table desk)
  (next_to desk office_table) (next_to desk printer) (next_to printer desk) (next_to printer whiteboard)
  (next_to whiteboard printer) (next_to statue door) (next_to door statue) (next_to coffee_machine water_cooler)
  (next_to water_cooler coffee_machine) (next_to water_cooler trash_bin) (next_to trash_bin water_cooler)
  (next_to statue coffee_machine) (next_to coffee_machine statue)
  (next_to trash_bin hallway) (next_to hallway trash_bin) (surface book_shelf) (device lamp) (surface bedside_table)
  (device coffee_machine) (container mail_box) (surface office_table) (device television) (surface couch)
  (surface desk) (surface printer) (device printer) (container trash_bin) (device water_cooler) (openable door)
  (is_on book bedside_table) (is_in mail mail_box) (is_on phone office_table) (is_on cup desk) (is_on folder couch))
