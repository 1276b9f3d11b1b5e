; A house of 6 rooms around a hallway with 39 fixtures and 60 things: 105 objects.
(:objects
  kitchen livingroom bedroom bathroom hallway study fridge stove counter sink kitchentable dishwasher microwave
  cupboard trashcan coffeemaker sofa armchair coffeetable tv bookshelf fireplace floorlamp radio sideboard bed
  nightstand wardrobe dresser bedlamp window toilet bathtub washbasin cabinet washingmachine basket coatrack shoerack
  phonetable lightswitch desk filecabinet computer printer - place
  salmon bread knife cuttingboard kettle bowl apple plate glass vase candle cup fork sponge pan pot milk cheese
  butter juice egg sugar salt flour teabag remote magazine ashtray cushion blanket novel atlas dictionary photo chess
  cards tablecloth pillow quilt alarmclock glasses shirt coat scarf socks belt soap toothbrush razor towel medicine
  plaster shoes boots phone keys letter pen paper folder - thing)
(:init
  (hand_free) (room kitchen) (located kitchen kitchen) (room livingroom) (located livingroom livingroom)
  (room bedroom) (located bedroom bedroom) (room bathroom) (located bathroom bathroom) (room hallway)
  (located hallway hallway) (room study) (located study study) (next_to hallway kitchen) (next_to kitchen hallway)
  (next_to hallway livingroom) (next_to livingroom hallway) (next_to hallway bedroom) (next_to bedroom hallway)
  (next_to hallway bathroom) (next_to bathroom hallway) (next_to hallway study) (next_to study hallway)
  (next_to kitchen livingroom) (next_to livingroom kitchen) (located fridge kitchen) (container fridge)
  (openable fridge) (located stove kitchen) (surface stove) (device stove) (located counter kitchen)
  (surface counter) (located sink kitchen) (surface sink) (located kitchentable kitchen) (surface kitchentable)
  (located dishwasher kitchen) (container dishwasher) (openable dishwasher) (device dishwasher)
  (located microwave kitchen) (container microwave) (openable microwave) (device microwave)
  (located cupboard kitchen) (container cupboard) (openable cupboard) (located trashcan kitchen) (container trashcan)
  (located coffeemaker kitchen) (device coffeemaker) (located sofa livingroom) (surface sofa)
  (located armchair livingroom) (surface armchair) (located coffeetable livingroom) (surface coffeetable)
  (located tv livingroom) (device tv) (located bookshelf livingroom) (surface bookshelf)
  (located fireplace livingroom) (device fireplace) (located floorlamp livingroom) (device floorlamp)
  (located radio livingroom) (device radio) (located sideboard livingroom) (container sideboard) (openable sideboard)
  (located bed bedroom) (surface bed) (located nightstand bedroom) (surface nightstand) (located wardrobe bedroom)
  (container wardrobe) (openable wardrobe) (located dresser bedroom) (container dresser) (openable dresser)
  (located bedlamp bedroom) (device bedlamp) (located window bedroom) (openable window) (located toilet bathroom)
  (located bathtub bathroom) (surface bathtub) (located washbasin bathroom) (surface washbasin)
  (located cabinet bathroom) (container cabinet) (openable cabinet) (located washingmachine bathroom)
  (container washingmachine) (openable washingmachine) (device washingmachine) (located basket bathroom)
  (container basket) (located coatrack hallway) (surface coatrack) (located shoerack hallway) (surface shoerack)
  (located phonetable hallway) (surface phonetable) (located lightswitch hallway) (device lightswitch)
  (located desk study) (surface desk) (located filecabinet study) (container filecabinet) (openable filecabinet)
  (located computer study) (device computer) (located printer study) (device printer) (is_on salmon counter)
  (is_on bread counter) (is_on knife counter) (is_on cuttingboard counter) (is_on kettle counter)
  (is_on bowl counter) (is_on apple kitchentable) (is_on plate kitchentable) (is_on glass kitchentable)
  (is_on vase kitchentable) (is_on candle kitchentable) (is_on cup sink) (is_on fork sink) (is_on sponge sink)
  (is_on pan stove) (is_on pot stove) (is_in milk fridge) (is_in cheese fridge) (is_in butter fridge)
  (is_in juice fridge) (is_in egg fridge) (is_in sugar cupboard) (is_in salt cupboard) (is_in flour cupboard)
  (is_in teabag cupboard) (is_on remote coffeetable) (is_on magazine coffeetable) (is_on ashtray coffeetable)
  (is_on cushion sofa) (is_on blanket sofa) (is_on novel bookshelf) (is_on atlas bookshelf)
  (is_on dictionary bookshelf) (is_on photo bookshelf) (is_in chess sideboard) (is_in cards sideboard)
  (is_in tablecloth sideboard) (is_on pillow bed) (is_on quilt bed) (is_on alarmclock nightstand)
  (is_on glasses nightstand) (is_in shirt wardrobe) (is_in coat wardrobe) (is_in scarf wardrobe)
  (is_in socks dresser) (is_in belt dresser) (is_on soap washbasin) (is_on toothbrush washbasin)
  (is_on razor washbasin) (is_on towel bathtub) (is_in medicine cabinet) (is_in plaster cabinet)
  (is_on shoes shoerack) (is_on boots shoerack) (is_on phone phonetable) (is_on keys phonetable)
  (is_on letter phonetable) (is_on pen desk) (is_on paper desk) (is_on folder desk))
