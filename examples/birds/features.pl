% What the birds look like and how they live, stated once for the widest group it holds for.

% feature(Feature, Kind): Kind is yes_no, or choice(Values). Of two questions
% that split the birds equally well the one that stands first here is asked.
feature(webbed_feet,    yes_no).
feature(long_legs,      yes_no).
feature(crest,          yes_no).
feature(forked_tail,    yes_no).
feature(long_tail,      yes_no).
feature(dark_head,      yes_no).
feature(white_head,     yes_no).
feature(colourful_head, yes_no).
feature(red_breast,     yes_no).
feature(hovers,         yes_no).
feature(night_active,   yes_no).
feature(size,           choice([tiny, small, medium, large])).
feature(home,           choice([water, coast, forest, fields, mountains, town])).
feature(bill,           choice([flat, hooked, dagger, chisel, thick, thin])).
feature(plumage,        choice([white, black, pied, brown, grey, green, blue, yellow])).

% question(Feature, Text): how the user is asked about it.
question(webbed_feet,    'Does it have webbed feet?').
question(long_legs,      'Does it have very long legs?').
question(crest,          'Does it have a crest or tufts on its head?').
question(forked_tail,    'Is its tail forked?').
question(long_tail,      'Is its tail about as long as its body?').
question(dark_head,      'Is its head, or the cap on it, black?').
question(white_head,     'Is its head mainly white?').
question(colourful_head, 'Is there green, blue or red on its head?').
question(red_breast,     'Does it have a red or orange breast or throat?').
question(hovers,         'Does it hover in the air over one spot?').
question(night_active,   'Is it active mostly at night?').
question(size,
    'How big is it? (tiny: a sparrow; small: a thrush; medium: a crow; large: a goose or bigger)').
question(home,           'Where did you see it?').
question(bill,
    'What shape is its bill? (dagger: long, straight and pointed; chisel: for hacking wood)').
question(plumage,        'What is the main colour of its body? (pied: black and white)').

% mark(Taxon, Feature, Value): true of the whole taxon, unless a taxon below it says otherwise.

mark(anseriformes,     bill,         flat).
mark(anseriformes,     webbed_feet,  yes).
mark(anseriformes,     home,         water).
mark(podicipediformes, bill,         dagger).
mark(podicipediformes, home,         water).
mark(pelecaniformes,   bill,         dagger).
mark(pelecaniformes,   long_legs,    yes).
mark(pelecaniformes,   home,         water).
mark(ciconiiformes,    bill,         dagger).
mark(ciconiiformes,    long_legs,    yes).
mark(accipitriformes,  bill,         hooked).
mark(accipitriformes,  plumage,      brown).
mark(falconiformes,    bill,         hooked).
mark(strigiformes,     bill,         hooked).
mark(strigiformes,     night_active, yes).
mark(strigiformes,     plumage,      brown).
mark(charadriiformes,  home,         coast).
mark(charadriiformes,  webbed_feet,  yes).
mark(columbiformes,    bill,         thin).
mark(columbiformes,    size,         medium).
mark(piciformes,       bill,         chisel).
mark(piciformes,       home,         forest).
mark(coraciiformes,    bill,         dagger).
mark(apodiformes,      bill,         thin).
mark(apodiformes,      forked_tail,  yes).

mark(laridae,          bill,         thick).
mark(laridae,          size,         medium).
mark(laridae,          plumage,      grey).
mark(falconidae,       size,         medium).
mark(corvidae,         bill,         thick).
mark(corvidae,         size,         medium).
mark(hirundinidae,     bill,         thin).
mark(hirundinidae,     forked_tail,  yes).
mark(paridae,          bill,         thin).
mark(paridae,          size,         tiny).
mark(paridae,          plumage,      yellow).
mark(passeridae,       bill,         thick).
mark(turdidae,         bill,         thin).
mark(muscicapidae,     bill,         thin).

mark(mallard, size, medium).
mark(mallard, plumage, grey).
mark(mallard, colourful_head, yes).

mark(tufted_duck, size, medium).
mark(tufted_duck, plumage, pied).
mark(tufted_duck, dark_head, yes).
mark(tufted_duck, crest, yes).

mark(greylag_goose, size, large).
mark(greylag_goose, plumage, grey).

mark(canada_goose, size, large).
mark(canada_goose, plumage, brown).
mark(canada_goose, dark_head, yes).

mark(mute_swan, size, large).
mark(mute_swan, plumage, white).
mark(mute_swan, white_head, yes).

mark(great_crested_grebe, size, medium).
mark(great_crested_grebe, plumage, brown).
mark(great_crested_grebe, crest, yes).

mark(grey_heron, size, large).
mark(grey_heron, plumage, grey).
mark(grey_heron, white_head, yes).
mark(grey_heron, crest, yes).

mark(great_egret, size, large).
mark(great_egret, plumage, white).
mark(great_egret, white_head, yes).

mark(white_stork, size, large).
mark(white_stork, plumage, pied).
mark(white_stork, white_head, yes).
mark(white_stork, home, fields).

mark(golden_eagle, size, large).
mark(golden_eagle, home, mountains).

mark(common_buzzard, size, medium).
mark(common_buzzard, home, fields).

mark(red_kite, size, medium).
mark(red_kite, home, fields).
mark(red_kite, forked_tail, yes).

mark(common_kestrel, plumage, brown).
mark(common_kestrel, home, fields).
mark(common_kestrel, hovers, yes).
mark(common_kestrel, long_tail, yes).

mark(peregrine_falcon, plumage, grey).
mark(peregrine_falcon, dark_head, yes).
mark(peregrine_falcon, home, mountains).

mark(barn_owl, size, medium).
mark(barn_owl, white_head, yes).
mark(barn_owl, home, fields).

mark(tawny_owl, size, medium).
mark(tawny_owl, home, forest).

mark(eagle_owl, size, large).
mark(eagle_owl, home, mountains).
mark(eagle_owl, crest, yes).

mark(herring_gull, white_head, yes).


mark(atlantic_puffin, size, small).
mark(atlantic_puffin, bill, thick).
mark(atlantic_puffin, plumage, pied).
mark(atlantic_puffin, dark_head, yes).

mark(wood_pigeon, plumage, grey).
mark(wood_pigeon, home, fields).

mark(collared_dove, plumage, brown).
mark(collared_dove, home, town).

mark(great_spotted_woodpecker, size, small).
mark(great_spotted_woodpecker, plumage, pied).
mark(great_spotted_woodpecker, dark_head, yes).

mark(green_woodpecker, size, medium).
mark(green_woodpecker, plumage, green).
mark(green_woodpecker, colourful_head, yes).

mark(common_kingfisher, size, tiny).
mark(common_kingfisher, plumage, blue).
mark(common_kingfisher, colourful_head, yes).
mark(common_kingfisher, home, water).
mark(common_kingfisher, red_breast, yes).
mark(common_kingfisher, hovers, yes).

mark(common_swift, size, small).
mark(common_swift, plumage, black).
mark(common_swift, home, town).

mark(carrion_crow, plumage, black).
mark(carrion_crow, dark_head, yes).
mark(carrion_crow, home, fields).

mark(magpie, plumage, pied).
mark(magpie, dark_head, yes).
mark(magpie, home, town).
mark(magpie, long_tail, yes).

mark(jay, plumage, brown).
mark(jay, home, forest).

mark(barn_swallow, size, tiny).
mark(barn_swallow, plumage, blue).
mark(barn_swallow, colourful_head, yes).
mark(barn_swallow, home, fields).
mark(barn_swallow, red_breast, yes).
mark(barn_swallow, long_tail, yes).

mark(great_tit, dark_head, yes).
mark(great_tit, home, forest).

mark(blue_tit, colourful_head, yes).
mark(blue_tit, home, forest).

mark(house_sparrow, size, tiny).
mark(house_sparrow, plumage, brown).
mark(house_sparrow, home, town).

mark(blackbird, size, small).
mark(blackbird, plumage, black).
mark(blackbird, dark_head, yes).
mark(blackbird, home, town).

mark(robin, size, tiny).
mark(robin, plumage, brown).
mark(robin, home, town).
mark(robin, red_breast, yes).

% feature_of(?Bird, ?Feature, ?Value): the one value a feature has for a bird.
feature_of(Bird, Feature, Value) :-
    species(Bird, _, _),
    feature(Feature, _),
    feature_source(Bird, Feature, Found, _),
    Value = Found.

% feature_source(+Bird, +Feature, -Value, -Source): Source is the taxon that
% states the value, or none when a yes_no feature is nowhere stated and so `no`.
feature_source(Bird, Feature, Value, Source) :-
    lineage(Bird, Taxa),
    member(Taxon, Taxa),
    mark(Taxon, Feature, Stated),
    !,
    Value = Stated,
    Source = Taxon.
feature_source(_, Feature, no, none) :-
    feature(Feature, yes_no).
